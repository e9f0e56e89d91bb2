internal import AgentDiagnostics
internal import AgentEvents
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers
internal import Synchronization

/// The end of the host: it is announced, requests under way have five seconds, and then its parts
/// end.
extension HostApplication {
  /// How long requests may go on once the host begins to end.
  static let grace = Duration.seconds(5)
  /// How long the opening of the database may go on then. A migration takes longer, and may be left
  /// as it is: it is one transaction.
  private static let graceOfOpening = Duration.seconds(2)

  /// Begins the end. Requests that wait are answered at once. Requests under way have a grace of
  /// five seconds, and then the parts of the host end.
  ///
  /// Call it before the ports are closed: they wait for their requests, and those would wait for
  /// the host. Any thread; a second call does nothing.
  package func announceStop() {
    if ending.set() { letGo() }
  }

  /// Ends the host at once, without the grace for requests. Any thread.
  package func requestStop() {
    if ending.set() { letGo() }
    stopping.set()
  }

  /// Whether the host has begun to end.
  package var isEnding: Bool { ending.isSet }

  /// Calls `action` when the host begins to end, or at once when it has begun. The action may come
  /// on any thread and must not wait.
  /// - Returns: what ``forgetEnding(_:)`` takes.
  package func whenEnding(_ action: @escaping @Sendable () -> Void) -> Int {
    ending.whenSet(action)
  }

  /// Removes an action of ``whenEnding(_:)``.
  package func forgetEnding(_ number: Int) { ending.forget(number) }

  /// Returns when requests have had their grace, or when the task is cancelled.
  package func graceIsOver() async { await graceEnd.wait() }

  /// Whether the host has ended while something was under way that can't be ended, such as a
  /// migration of the database: the process may end without waiting for that.
  package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Ends the waits for tasks and for the database.
  private func letGo() {
    // Somebody asked for this end, so it doesn't count for safe mode.
    journal.clear()
    tasks.endWaits()
    // The log of events won't be opened any more, and calls wait for it.
    if state.withLock({ $0.store == nil }) { events.giveUpLog() }
    for waiting in state.withLock({ $0.awaitsDatabase.take() }) ?? [] { waiting.resume() }
    // Weak: a host that has ended sooner isn't kept for the rest of the grace.
    Task { [weak self] in
      try? await Task.sleep(for: Self.grace)
      self?.graceEnd.set()
      self?.stopping.set()
    }
  }

  /// The result of the opening; nil when the host was told to end before. The opening then has two
  /// more seconds, and is abandoned after that.
  func opened(_ opening: Task<Bool, any Error>) async throws -> Bool? {
    if let opened = try await ending.unlessSet(opening) { return opened }
    // The opening may be just before its end. Its parts are then closed properly instead of
    // abandoned.
    let patience = StopSignal()
    let timer = Task {
      try await Task.sleep(for: Self.graceOfOpening)
      patience.set()
    }
    defer { timer.cancel() }
    let isDone = (try? await patience.unlessSet(Task { _ = await opening.result })) != nil
    // A migration that is still under way is neither waited for nor disturbed: the process then
    // ends with `_exit`.
    if isDone { await closeStore() } else { state.withLock { $0.isAbandoned = true } }
    return nil
  }
}

extension HostApplication {
  func stopInProcess() {
    for worker in state.withLock({ Array($0.inProcess.values) }) { worker.stop() }
  }
}
