import Glibc

/// Starts children, watches them, and restarts them by their policies.
///
/// It runs on an ``EventLoop``, and calls from elsewhere are passed to that thread. One supervisor
/// serves a whole host. Every process that it starts ends with the host.
public actor Supervisor {
  /// The loop that it runs on.
  public nonisolated let loop: EventLoop
  let configuration: SupervisorConfiguration
  let spawner: Spawner
  let known: KnownChildren
  let onEvent: @Sendable (SupervisionEvent) -> Void

  var children: [String: SupervisedChild] = [:]
  /// All children, including a replacement in progress and an old generation that still has to end.
  var members: [UInt64: SupervisedChild] = [:]
  /// Processes that have ended and whose successor runs already. They are reaped a moment later.
  var unreaped: [UInt64: Worker] = [:]
  /// Processes that were killed before a child used them, and haven't ended yet.
  var discarded: [UInt64: Worker] = [:]
  /// Whether a start waits until the program is loaded.
  var waitsForPrograms = true
  /// The children of a start of many whose programs may still be loading.
  private var loading: [String] = []
  var spares: SparePool
  var inbox = SupervisorInbox()
  var records: WorkerRecords?
  var sampler = LimitSampler()
  var upkeep = Upkeep()
  var isShuttingDown = false
  private var lastNumber: UInt64 = 0

  /// Makes a supervisor without children.
  /// - Parameter onEvent: called on the loop's thread, in order. It must not block.
  public init(
    loop: EventLoop, configuration: SupervisorConfiguration = .init(),
    onEvent: @escaping @Sendable (SupervisionEvent) -> Void
  ) {
    self.loop = loop
    self.configuration = configuration
    self.onEvent = onEvent
    known = .ofThisProcess
    spawner = Spawner(known: known)
    spares = SparePool(wanted: configuration.sparesPerKey)
    records = configuration.records.map { WorkerRecords(path: $0) }
  }

  /// The executor of the loop.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Adds a child. It stays stopped until ``start(_:)``.
  public func add(
    _ spec: ChildSpec, channel: @escaping WorkerChannelFactory
  ) throws(SupervisionError) {
    if isShuttingDown { throw .shuttingDown }
    guard children[spec.name] == nil else {
      throw SupervisionError(.duplicateChild, "There is a child named \(spec.name) already.")
    }
    children[spec.name] = adopt(
      SupervisedChild(id: nextNumber(), spec: spec, channel: channel, configuration: configuration))
  }

  /// Starts a child. Returns when its process was spawned or that has failed. A program that takes
  /// long to load isn't waited for; its failure is reported later. Does nothing for a
  /// child that runs or is being replaced.
  public func start(_ name: String) throws(SupervisionError) {
    if isShuttingDown { throw .shuttingDown }
    let child = try child(name)
    // The replacement has asked the old child to stop. A start would undo that.
    guard child.replacement == nil else { return }
    receive(.startRequested, for: child)
  }

  /// Starts several children one after the other. The loop handles those that are started already
  /// in between. Returns when all were spawned or have failed.
  public func start(_ names: [String]) async throws(SupervisionError) {
    try await withCheckedContinuation { startFirst(of: names[...], $0) }.get()
  }

  /// Starts the first child, and the others after the loop's next round. Rationale: `Task.yield`
  /// would pass through another thread for each of them.
  private func startFirst(
    of names: ArraySlice<String>,
    _ result: CheckedContinuation<Result<Void, SupervisionError>, Never>
  ) {
    // A few programs load at the same time. More would compete for the processor and delay all of
    // them.
    confirmLoading(butFor: names.isEmpty ? 0 : Self.maxLoading)
    guard let name = names.first else { return result.resume(returning: .success(())) }
    do {
      waitsForPrograms = false
      defer { waitsForPrograms = true }
      try start(name)
      loading.append(name)
    } catch {
      confirmLoading(butFor: 0)
      return result.resume(returning: .failure(error))
    }
    loop.execute { self.assumeIsolated { $0.startFirst(of: names.dropFirst(), result) } }
  }

  /// The number of programs that are loaded at the same time.
  private static let maxLoading = 4

  /// Waits until all but the latest have loaded their programs or failed, or take long for it.
  private func confirmLoading(butFor latest: Int) {
    while loading.count > latest {
      guard let child = children[loading.removeFirst()], let worker = child.worker else { continue }
      _ = isStarted(worker, of: child, within: SpawnUnderWay.patience)
    }
  }

  /// Stops a child: STOP, SIGTERM after the deadline, then SIGKILL. Returns when it has stopped.
  /// - Throws: `overtaken` if a later request starts it again, `deadlinePassed` if its process
  ///   hangs in the kernel, where no signal ends it.
  @discardableResult
  public func stop(_ name: String, deadline: Duration? = nil) async throws(SupervisionError)
    -> ChildStatus
  {
    let child = try child(name)
    abandonReplacement(of: child, "it was stopped")
    receive(.stopRequested(deadline: deadline), for: child)
    let limit = (deadline ?? child.spec.timeouts.stop) + child.spec.timeouts.terminate
    return try await status(of: child, when: .stopped, within: limit + Self.graceOfKernel).get()
  }

  /// Stops a child and starts it again. Returns at once. ``settled(_:within:)`` waits for the
  /// result.
  public func restart(_ name: String) throws(SupervisionError) {
    if isShuttingDown { throw .shuttingDown }
    let child = try child(name)
    abandonReplacement(of: child, "it was restarted")
    receive(.restartRequested, for: child)
  }

  /// Starts a child that has failed or waits for its next restart. Its earlier failures are
  /// forgotten. Does nothing for a child that is being replaced.
  public func retry(_ name: String) throws(SupervisionError) {
    if isShuttingDown { throw .shuttingDown }
    let child = try child(name)
    guard child.replacement == nil else { return }
    receive(.retryRequested, for: child)
  }

  /// Starts at once the children that wait because the host lacked resources.
  public func endHindrance() {
    if isShuttingDown { return }
    for child in members.values where child.machine.isHindered {
      receive(.startRequested, for: child)
    }
  }

  /// Stops and removes a child.
  public func remove(_ name: String) async throws(SupervisionError) {
    let child = try child(name)
    try await stop(name)
    // During the wait another child may have taken the name.
    if children[name] === child { children[name] = nil }
    members[child.id] = nil
    dropUnusedSpares()
  }

  /// Returns the status of every child, sorted by name.
  public func status() -> [ChildStatus] {
    children.values.map(\.status).sorted { $0.name < $1.name }
  }

  /// Returns the status of one child.
  public func status(_ name: String) throws(SupervisionError) -> ChildStatus {
    try child(name).status
  }

  /// Waits until nothing is pending for a child: it has started its work, or is down. After `limit`
  /// it returns the present status. The caller then checks ``ChildState/isSettled``.
  public func settled(
    _ name: String, within limit: Duration = .seconds(60)
  ) async throws(SupervisionError) -> ChildStatus {
    try await status(of: try child(name), when: .settled, within: limit).get()
  }

  // MARK: Inner workings

  /// How long a killed process may take to end. After that it counts as hanging in the kernel.
  static let graceOfKernel: Duration = .seconds(5)

  func child(_ name: String) throws(SupervisionError) -> SupervisedChild {
    guard let child = children[name] else {
      throw SupervisionError(.unknownChild, "There is no child named \(name).")
    }
    return child
  }

  func adopt(_ child: SupervisedChild) -> SupervisedChild {
    members[child.id] = child
    return child
  }

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  func emit(_ kind: SupervisionEvent.Kind, _ name: String, generation: UInt64 = 0) {
    onEvent(SupervisionEvent(name: name, generation: generation, kind: kind))
  }

  /// Returns the child's status when it reaches the goal.
  func status(
    of child: SupervisedChild, when goal: StatusWaiter.Goal, within limit: Duration
  ) async -> StatusWaiter.Answer {
    await withCheckedContinuation { continuation in
      let number = nextNumber()
      let waiter = StatusWaiter(number: number, goal, continuation)
      waiter.timer = loop.schedule(after: limit) { [weak self] in
        self?.assumeIsolated { $0.endWait(number) }
      }
      child.waiters.append(waiter)
      child.wakeWaiters(on: loop)
    }
  }

  /// Ends a wait at its deadline. The waiter may have moved to another generation by now.
  private func endWait(_ number: UInt64) {
    for child in members.values {
      guard let waiter = child.waiters.first(where: { $0.number == number }) else { continue }
      child.waiters.removeAll { $0.number == number }
      return waiter.giveUp(child.status, on: loop)
    }
  }
}

extension SupervisionError {
  static let shuttingDown = SupervisionError(.shuttingDown, "The supervisor is shutting down.")
}
