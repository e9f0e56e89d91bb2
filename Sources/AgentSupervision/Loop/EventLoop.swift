import AgentSystem
import CSupervision
import Glibc
import Synchronization

/// One thread that waits for descriptors and timers and calls their handlers. It is also an
/// executor for actors.
///
/// The thread runs as long as the process. Children are started on it and die with it
/// (PR_SET_PDEATHSIG follows the thread), so it never ends. Code on this thread must not block.
public final class EventLoop: Sendable {
  private let epoll: Int32
  private let wakeUp: Int32
  private let state = Mutex(State())
  private let thread = Atomic<UInt>(0)
  private let admits: @Sendable (Int32) -> Bool
  private let time: @Sendable () -> LoopInstant

  /// Starts a loop. The system shows at most 15 bytes of the thread's name.
  public convenience init(name: String = "supervision") throws(SupervisionError) {
    try self.init(name: name) { _ in true }
  }

  /// - Parameters:
  ///   - admits: whether the system watches a descriptor. Tests let it refuse some, as it does when
  ///     the user's limit of watches is reached (epoll(7)).
  ///   - time: the clock of the timers. A test that moves it wakes the loop by ``execute(_:)``.
  init(
    name: String, admits: @escaping @Sendable (Int32) -> Bool,
    time: @escaping @Sendable () -> LoopInstant = { EventLoop.monotonicTime }
  ) throws(SupervisionError) {
    self.admits = admits
    self.time = time
    epoll = cs_epoll_create()
    wakeUp = cs_eventfd()
    guard epoll >= 0, wakeUp >= 0, add(token: 0, wakeUp, .readable) else {
      throw SupervisionError(.system, "An event loop can't be made: \(SystemError.text(errno)).")
    }
    try startThread(name)
  }

  /// The time of the monotonic clock.
  public var now: LoopInstant { time() }

  static var monotonicTime: LoopInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return LoopInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
  }

  /// Whether the caller runs on the loop's thread.
  public var isCurrent: Bool {
    thread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  // MARK: Descriptors

  /// Watches a descriptor, level-triggered. Calls `handler` on the loop's thread while one of the
  /// events in `interest` is possible. Handlers of urgent registrations are called before the
  /// others of the same round. Returns `nil` and sets `errno` if the system refuses. Any thread.
  public func register(
    _ descriptor: Int32, for interest: LoopEvents, isUrgent: Bool = false,
    handler: @escaping @Sendable (LoopEvents) -> Void
  ) -> LoopRegistration? {
    state.withLock { state in
      let added = state.descriptors.insert(
        descriptor, for: interest, isUrgent: isUrgent, handler: handler)
      guard let registration = added else { return nil }
      if admits(descriptor),
        interest.isEmpty || add(token: registration.token, descriptor, interest)
      {
        return registration
      }
      _ = state.descriptors.remove(registration)
      return nil
    }
  }

  /// Changes the events that a handler is called for. An empty set ends the calls. Any thread.
  public func setInterest(_ registration: LoopRegistration, _ interest: LoopEvents) {
    state.withLock { state in
      guard let before = state.descriptors.setInterest(registration, interest),
        before != interest
      else { return }
      change(registration, from: before, to: interest)
    }
  }

  /// Ends the watch. The caller does so before it closes the descriptor. On the loop's thread the
  /// handler isn't called again after that. A stale registration is ignored. Any thread.
  public func deregister(_ registration: LoopRegistration) {
    state.withLock { state in
      guard let before = state.descriptors.remove(registration), !before.isEmpty else { return }
      change(registration, from: before, to: [])
    }
  }

  // MARK: Timers and calls

  /// Calls `call` once on the loop's thread after `delay`. Any thread.
  @discardableResult
  public func schedule(after delay: Duration, _ call: @escaping @Sendable () -> Void) -> LoopTimer {
    let due = now + delay
    let (timer, wake) = state.withLock { state in
      (state.timers.insert(due: due, call), state.mustWake(for: due))
    }
    if wake { self.wake() }
    return timer
  }

  /// Cancels a scheduled call. A call that was made already is ignored. Any thread.
  public func cancel(_ timer: LoopTimer) {
    state.withLock { $0.timers.cancel(timer) }
  }

  /// Calls `call` on the loop's thread, in the order of the calls of this method, never within this
  /// method. Any thread.
  public func execute(_ call: @escaping @Sendable () -> Void) {
    enqueue(.call(call))
  }

  // MARK: The thread

  private func startThread(_ name: String) throws(SupervisionError) {
    do throws(DetachedThread.StartError) {
      // Handlers are shallow, so 1 MiB is enough.
      try DetachedThread.start(name, stackSize: 1 << 20) { [self] in
        cs_unblock_child_signal()
        run()
      }
    } catch {
      throw SupervisionError(
        .system, "No thread can be started: \(SystemError.text(error.number)).")
    }
  }

  private func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    var events = [cs_event](repeating: cs_event(), count: Int(CS_EVENTS_MAX))
    while true {
      let count = wait(&events)
      // Handlers may take long. A timer that becomes due meanwhile runs in the next round: it may
      // judge a silence that has ended, and the descriptors are read first then.
      let polledAt = now
      for event in events.prefix(count) where LoopRegistration.isUrgent(event.token) {
        dispatch(event)
      }
      for event in events.prefix(count) where !LoopRegistration.isUrgent(event.token) {
        dispatch(event)
      }
      runTimers(dueAt: polledAt)
      runJobs()
    }
  }

  private func wait(_ events: inout [cs_event]) -> Int {
    let now = now
    let timeout = state.withLock { $0.timeBeforeWork(at: now) }
    let count = cs_epoll_wait(epoll, &events, timeout ?? -1)
    state.withLock { $0.isAsleep = false }
    return Int(count)
  }

  private func dispatch(_ event: cs_event) {
    if event.token == 0 {
      var count: UInt64 = 0
      _ = read(wakeUp, &count, 8)
      return
    }
    let registration = LoopRegistration(token: event.token)
    let handler = state.withLock { $0.descriptors.handler(of: registration) }
    handler?(LoopEvents(rawValue: UInt8(truncatingIfNeeded: event.events)))
  }

  private func runTimers(dueAt moment: LoopInstant) {
    while let call = state.withLock({ $0.timers.popDue(at: moment) }) {
      call()
    }
  }

  private func runJobs() {
    let jobs = state.withLock { state in
      let jobs = state.jobs
      state.jobs = []
      return jobs
    }
    for job in jobs {
      switch job {
      case .call(let call): call()
      case .executor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }

  private func enqueue(_ job: Job) {
    let wake = state.withLock { state in
      state.jobs.append(job)
      return state.mustWake()
    }
    if wake { self.wake() }
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }

  private func add(token: UInt64, _ descriptor: Int32, _ interest: LoopEvents) -> Bool {
    control(Int(CS_ADD), token: token, descriptor: descriptor, interest: interest)
  }

  private func change(
    _ registration: LoopRegistration, from before: LoopEvents, to after: LoopEvents
  ) {
    // Even with an empty mask epoll reports a hang-up again and again, so the descriptor is
    // removed.
    let operation =
      after.isEmpty ? CS_REMOVE : before.isEmpty ? CS_ADD : CS_CHANGE
    _ = control(
      operation, token: registration.token, descriptor: registration.descriptor, interest: after)
  }

  private func control(
    _ operation: Int, token: UInt64, descriptor: Int32, interest: LoopEvents
  ) -> Bool {
    cs_epoll_control(
      epoll, Int32(clamping: operation), descriptor, UInt32(clamping: interest.rawValue), token)
      == 0
  }
}

extension EventLoop: SerialExecutor {
  /// Runs an actor's job on the loop's thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(.executor(UnownedJob(job)))
  }

  /// Ends the program if the caller isn't on the loop's thread.
  public func checkIsolated() {
    precondition(isCurrent, "This must be called on the event loop's thread.")
  }

  /// Whether the caller is on the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? {
    isCurrent
  }
}

private enum Job: Sendable {
  case call(@Sendable () -> Void)
  case executor(UnownedJob)
}

private struct State {
  var descriptors = LoopDescriptors()
  var timers = LoopTimers()
  var jobs: [Job] = []
  var isAsleep = false
  /// The time when a sleeping loop wakes by itself. `nil` means never.
  private var wakesAt: LoopInstant?

  /// Returns how many nanoseconds the loop may sleep. `nil` means until it is woken.
  mutating func timeBeforeWork(at now: LoopInstant) -> Int64? {
    isAsleep = true
    wakesAt = nil
    if !jobs.isEmpty { return 0 }
    guard let due = timers.next() else { return nil }
    wakesAt = due
    return max(0, (due - now).clampedNanoseconds)
  }

  /// Returns whether the loop must be woken for a new timer. It needn't be if it wakes by itself
  /// before the timer is due.
  mutating func mustWake(for due: LoopInstant) -> Bool {
    if isAsleep, let wakesAt, wakesAt <= due { return false }
    return mustWake()
  }

  /// Returns whether the loop must be woken for new work. One wake-up is enough.
  mutating func mustWake() -> Bool {
    defer { isAsleep = false }
    return isAsleep
  }
}
