internal import AgentSystem
internal import Synchronization

/// Where the host is between its start and its end, and the signals that follow from it. Any
/// thread.
package final class HostLifecycle: Sendable {
  /// How long requests may go on once the host begins to end.
  private static let grace = Duration.seconds(5)
  /// How long the opening of the database may go on then. A migration takes longer, and may be left
  /// as it is: it is one transaction.
  private static let graceOfOpening = Duration.seconds(2)

  /// Set when the host begins to end: requests that wait are answered, and new ones don't wait.
  let ending = StopSignal()
  /// Set when requests have had their grace.
  private let graceEnd = StopSignal()
  /// Set when the host's parts end.
  let stopping = StopSignal()
  private let state = Mutex(HostStateMachine())
  private let reportReady: @Sendable () -> Void

  /// - Parameter reportReady: called once, when every part is up; any thread.
  init(reportReady: @escaping @Sendable () -> Void) { self.reportReady = reportReady }

  // MARK: The start

  /// Settings can be changed from now on, and processes start.
  func opened() { apply(.opened) }

  func workersAreUp() { apply(.workersAreUp) }

  /// The management socket answers.
  package func managementIsUp() { apply(.managementIsUp) }

  /// The names of the parts that aren't up yet.
  var awaited: Set<String> { Set(state.withLock { $0.awaits }.map(\.rawValue)) }

  var isReady: Bool { state.withLock { $0.isReady } }

  var takesChanges: Bool { state.withLock { $0.takesChanges } }

  // MARK: The end

  /// Begins the end. Requests that wait are answered at once. Requests under way have a grace of
  /// five seconds, and then the parts of the host end.
  ///
  /// Call it before the ports are closed: they wait for their requests, and those would wait for
  /// the host. A second call does nothing.
  package func announceStop() { apply(.stopAnnounced) }

  /// Ends the host at once, without the grace for requests.
  package func requestStop() { apply(.stopRequested) }

  /// Whether the host has begun to end.
  package var isEnding: Bool { state.withLock { $0.isEnding } }

  /// Whether the host has ended while something was under way that can't be ended, such as a
  /// migration of the database: the process may end without waiting for that.
  package var isAbandoned: Bool { state.withLock { $0 == .abandoned } }

  /// Calls `action` when the host begins to end, or at once when it has begun. The action may come
  /// on any thread and must not wait.
  /// - Returns: the number for ``forgetEnding(_:)``.
  @discardableResult
  package func whenEnding(_ action: @escaping @Sendable () -> Void) -> Int {
    ending.whenSet(action)
  }

  /// Removes an action of ``whenEnding(_:)``.
  package func forgetEnding(_ number: Int) { ending.forget(number) }

  /// Returns when requests have had their grace, or when the task is cancelled.
  package func graceIsOver() async { await graceEnd.wait() }

  /// The result of the opening; nil when the host was told to end before. The opening then has two
  /// more seconds, and is abandoned after that.
  /// - Parameter close: closes what was opened in the meantime.
  func opened(
    _ opening: Task<Bool, any Error>, close: () async -> Void
  ) async throws -> Bool? {
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
    if isDone { await close() } else { apply(.openingAbandoned) }
    return nil
  }

  private func apply(_ event: HostStateMachine.Event) {
    // Carried out outside of the lock: signals call actions of others, which may ask for the state.
    for action in state.withLock({ $0.apply(event) }) { perform(action) }
  }

  private func perform(_ action: HostStateMachine.Action) {
    switch action {
    case .reportReady: reportReady()
    case .beginGrace:
      ending.set()
      // Weak: a host that has ended sooner isn't kept for the rest of the grace.
      Task { [weak self] in
        try? await Task.sleep(for: Self.grace)
        self?.apply(.graceIsOver)
      }
    case .endGrace: graceEnd.set()
    case .stopParts: stopping.set()
    }
  }
}
