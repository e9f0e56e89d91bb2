internal import AgentDiagnostics
internal import AgentEvents
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers
internal import Synchronization

/// How the host ends: it is announced, requests under way have a moment, and then its parts end.
extension HostApplication {
  /// How long requests may go on once the host begins to end.
  static let grace = Duration.seconds(5)
  /// How long the opening of the database may go on then. A migration takes longer, and may be left
  /// as it is: it is one transaction.
  private static let graceOfOpening = Duration.seconds(2)

  /// Begins to end: who waits for something is let go, and after a grace, in which requests that are
  /// being worked on come to their end, the parts of the host end.
  ///
  /// Before the ports are closed: they wait for the requests, and those would wait for the host.
  package func announceStop() {
    if ending.set() { letGo() }
  }

  /// Asks the host to end, at once.
  package func requestStop() {
    if ending.set() { letGo() }
    stopping.set()
  }

  /// Whether the host has begun to end.
  package var isEnding: Bool { ending.isSet }

  /// Does something when the host begins to end, at once when it has begun to. It must not wait.
  /// - Returns: what ``forgetEnding(_:)`` takes.
  package func whenEnding(_ action: @escaping @Sendable () -> Void) -> Int {
    ending.whenSet(action)
  }

  /// Takes back what was to be done when the host begins to end.
  package func forgetEnding(_ number: Int) { ending.forget(number) }

  /// Returns when requests have had their grace, or when the task is cancelled.
  package func graceIsOver() async { await graceEnd.wait() }

  /// Whether the host has ended while something was under way that can't be ended, such as a
  /// migration of the database: the process may end without waiting for that.
  package var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Who waits for a task or for the database learns that there is nothing to wait for.
  private func letGo() {
    journal.clear()
    tasks.endWaits()
    if state.withLock({ $0.store == nil }) { events.giveUpLog() }
    for waiting in state.withLock({ $0.awaitsDatabase.take() }) ?? [] { waiting.resume() }
    Task { [weak self] in
      try? await Task.sleep(for: Self.grace)
      self?.graceEnd.set()
      self?.stopping.set()
    }
  }

  /// What the opening of the host gives; nil when the host was told to end before it was done, and
  /// what could be waited for a moment for isn't done by then either.
  func opened(_ opening: Task<Bool, any Error>) async throws -> Bool? {
    if let opened = try await ending.unlessSet(opening) { return opened }
    let patience = StopSignal()
    let timer = Task {
      try await Task.sleep(for: Self.graceOfOpening)
      patience.set()
    }
    defer { timer.cancel() }
    let isDone = (try? await patience.unlessSet(Task { _ = await opening.result })) != nil
    if isDone { await closeStore() } else { state.withLock { $0.isAbandoned = true } }
    return nil
  }
}

extension HostApplication {
  func stopInProcess() {
    for worker in state.withLock({ Array($0.inProcess.values) }) { worker.stop() }
  }
}
