/// A child with everything that belongs to it. It belongs to the supervisor's actor.
final class SupervisedChild {
  /// Unique in the supervisor and never used twice.
  let id: UInt64
  var channelFactory: WorkerChannelFactory
  var machine: ChildMachine
  /// Its process. `nil` means that there is none.
  var worker: Worker?
  /// The process that follows the worker, while the worker's end is processed.
  var successor: Worker?
  var timers = ChildTimers()
  var waiters: [StatusWaiter] = []
  /// The new generation that is about to replace this child.
  var replacement: Replacement?
  /// The child that this one replaces.
  weak var predecessor: SupervisedChild?

  init(
    id: UInt64, spec: ChildSpec, channel: @escaping WorkerChannelFactory,
    configuration: SupervisorConfiguration, startMode: ChildMachine.StartMode = .atOnce
  ) {
    self.id = id
    channelFactory = channel
    machine = ChildMachine(
      spec, startMode: startMode, hindrance: configuration.isHindered, random: configuration.random)
  }

  var spec: ChildSpec { machine.spec }
  var name: String { spec.name }

  var status: ChildStatus {
    let worker = worker.flatMap { $0.isGone ? nil : $0 }
    return ChildStatus(
      name: spec.name, state: machine.state, pid: worker?.process.pid,
      startedAt: worker?.startedAt, readyAt: worker?.readyAt, restarts: machine.restarts,
      lastExit: machine.lastExit, reason: machine.reason)
  }

  func wakeWaiters(on loop: EventLoop) {
    guard !waiters.isEmpty else { return }
    let status = status
    for waiter in waiters {
      waiter.receive(status, isHeadedForStop: machine.isHeadedForStop, on: loop)
    }
    waiters.removeAll { $0.isDone }
  }
}

/// The timers of a child, at most one of each kind.
struct ChildTimers {
  private var timers: [(kind: ChildTimer, timer: LoopTimer)] = []

  /// Sets a timer. Returns the timer that it replaces.
  mutating func set(_ kind: ChildTimer, _ timer: LoopTimer) -> LoopTimer? {
    let before = remove(kind)
    timers.append((kind, timer))
    return before
  }

  mutating func remove(_ kind: ChildTimer) -> LoopTimer? {
    guard let index = timers.firstIndex(where: { $0.kind == kind }) else { return nil }
    return timers.remove(at: index).timer
  }

  mutating func removeAll() -> [LoopTimer] {
    defer { timers = [] }
    return timers.map(\.timer)
  }
}
