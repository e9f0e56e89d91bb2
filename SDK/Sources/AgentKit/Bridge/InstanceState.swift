/// The state of an instance, and its running calls.
///
/// `Job` cancels a piece of work, `Ended` is called when the instance has stopped. Both are
/// parameters so that the transitions can be tested without tasks and without C.
struct InstanceState<Job: Sendable, Ended: Sendable>: Sendable {
  /// Why a call ended early.
  enum GivenUp: Sendable {
    case cancelled
    case deadline
  }

  /// One running call.
  struct Call: Sendable {
    var job: Job?
    var deadline: Int64
    var givenUp: GivenUp?
  }

  private enum Work {
    case none
    case running(Job?)
    case ended
  }

  private enum Phase {
    case open
    case stopping([Ended])
    case stopped
  }

  private var work = Work.none
  private var phase = Phase.open
  private var calls: [UInt64: Call] = [:]

  /// True between `stop` and `destroy`.
  var isStopping: Bool {
    if case .open = phase { return false }
    return true
  }

  /// The earliest deadline of a call that has not been cancelled.
  var nextDeadline: Int64? {
    calls.values.lazy.filter { $0.givenUp == nil && $0.deadline > 0 }.map(\.deadline).min()
  }

  /// Records that the work begins. False when it began before.
  mutating func beginWork() -> Bool {
    guard case .none = work, !isStopping else { return false }
    work = .running(nil)
    return true
  }

  /// Records the job of the work, which can be cancelled. True: cancel it at once.
  mutating func workIs(_ job: Job) -> Bool {
    guard case .running = work else { return false }
    work = .running(job)
    return isStopping
  }

  /// Records the end of the work. Returns the completions to call if the instance has stopped.
  mutating func workEnded() -> [Ended] {
    work = .ended
    return settled()
  }

  /// Adds a call. False when it can't be accepted: the instance is stopping, or the id is in use.
  mutating func admit(_ id: UInt64, deadline: Int64) -> Bool {
    guard !isStopping, calls[id] == nil else { return false }
    calls[id] = Call(deadline: deadline)
    return true
  }

  /// A call has a job that can be cancelled. True: cancel it at once.
  mutating func call(_ id: UInt64, is job: Job) -> Bool {
    guard calls[id] != nil else { return false }
    calls[id]?.job = job
    return calls[id]?.givenUp != nil
  }

  /// A call is to be given up. Returns the job to cancel.
  mutating func giveUp(_ id: UInt64, _ reason: GivenUp) -> Job? {
    guard calls[id]?.givenUp == nil else { return nil }
    calls[id]?.givenUp = reason
    return calls[id]?.job
  }

  /// The time is now. Returns the jobs of the calls whose deadline has passed.
  mutating func expire(_ now: Int64) -> [Job] {
    let due = calls.filter { $0.value.deadline > 0 && $0.value.deadline <= now }.keys
    return due.compactMap { giveUp($0, .deadline) }
  }

  /// Why a call was given up, if it was.
  func givenUp(_ id: UInt64) -> GivenUp? {
    calls[id]?.givenUp
  }

  /// A call has been answered. Returns whom to tell that the instance has stopped.
  mutating func callEnded(_ id: UInt64) -> [Ended] {
    calls[id] = nil
    return settled()
  }

  /// The end is asked for. Returns the jobs to cancel and, if nothing is under way, whom to tell.
  mutating func stop(_ ended: Ended) -> (cancel: [Job], report: [Ended]) {
    switch phase {
    case .stopped:
      return ([], [ended])
    case .stopping(let others):
      phase = .stopping(others + [ended])
      return ([], [])
    case .open:
      phase = .stopping([ended])
    }
    var jobs = calls.keys.compactMap { giveUp($0, .cancelled) }
    if case .running(let job?) = work { jobs.append(job) }
    return (jobs, settled())
  }

  private mutating func settled() -> [Ended] {
    guard case .stopping(let waiting) = phase, calls.isEmpty else { return [] }
    if case .running = work { return [] }
    phase = .stopped
    return waiting
  }
}
