internal import AgentSystem

/// Computes how many instances a pool needs. It is pure: the caller passes the time and an
/// observation.
///
/// The number grows where tasks wait longer than the target. It shrinks where fewer instances would
/// have been enough for a while. Otherwise it stays.
public struct PoolController: Sendable {
  /// The load of a pool at one moment.
  public struct Observation: Sendable, Hashable {
    /// The number of waiting tasks.
    public var queued: Int
    /// The number of running tasks.
    public var running: Int
    /// The number of instances that run or are starting.
    public var instances: Int
    /// The mean run time of a task, in milliseconds. Nil before the first task has ended.
    public var serviceTime: Double?

    /// Creates an observation.
    public init(queued: Int, running: Int, instances: Int, serviceTime: Double?) {
      self.queued = max(0, queued)
      self.running = max(0, running)
      self.instances = max(0, instances)
      self.serviceTime = serviceTime.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
  }

  /// Why a pool needs its number of instances.
  public enum Reason: String, Sendable, Hashable {
    /// Nothing calls for a change, or it is too early for one.
    case steady
    /// The pool is smaller than its minimum or larger than its maximum.
    case bounds
    /// Tasks wait longer than the target.
    case queue
    /// Fewer instances have been enough for a while.
    case idle
  }

  public let policy: PoolPolicy
  private var lastChange: Int64?
  /// The smoothed number of running and waiting tasks, and the time of that value.
  private var mean: (tasks: Double, at: Int64)?
  /// Since when fewer instances would do, and the largest number needed since then.
  private var quiet: (since: Int64, peak: Int)?

  /// Creates a controller without observations.
  public init(_ policy: PoolPolicy) { self.policy = policy }

  /// Returns the number of instances that the pool needs. The caller asks about once a second.
  public mutating func wanted(
    _ seen: Observation, at now: Int64
  ) -> (instances: Int, reason: Reason) {
    smooth(seen, at: now)
    let bounded = min(max(seen.instances, policy.min), policy.max)
    if bounded != seen.instances { return change(to: bounded, .bounds, at: now) }
    if waitsTooLong(seen) { return grow(seen, at: now) }
    return shrink(seen, at: now)
  }

  /// Whether the last waiting task waits longer than the target: `queued × service / slots >
  /// target`.
  private func waitsTooLong(_ seen: Observation) -> Bool {
    guard seen.queued > 0 else { return false }
    guard seen.instances > 0 else { return true }
    // Without a known run time, a task that finds no free slot counts as waiting too long.
    guard let service = seen.serviceTime else { return seen.running >= slots(of: seen.instances) }
    let wait = Double(seen.queued) * service / Double(slots(of: seen.instances))
    return wait > Double(policy.targetQueueTime)
  }

  private mutating func grow(
    _ seen: Observation, at now: Int64
  ) -> (instances: Int, reason: Reason) {
    quiet = nil
    // After the clock was set back, the last change lies in the future. It doesn't delay growth any
    // more.
    let isEarly = lastChange.map { now.subtracting($0) < policy.growAfter && now >= $0 } ?? false
    guard !isEarly, seen.instances < policy.max else { return (seen.instances, .steady) }
    // At least one more, because the demand is 0 while the run time of tasks is unknown.
    let wanted = max(seen.instances + 1, demand(seen))
    return change(to: min(wanted, policy.max), .queue, at: now)
  }

  /// The instances that do the running tasks and clear the queue within the target: `(running +
  /// queued × service / target) / concurrency`.
  private func demand(_ seen: Observation) -> Int {
    guard let service = seen.serviceTime else { return 0 }
    let backlog = Double(seen.queued) * service / Double(policy.targetQueueTime)
    return instances(for: Double(seen.running) + backlog)
  }

  private mutating func shrink(
    _ seen: Observation, at now: Int64
  ) -> (instances: Int, reason: Reason) {
    // The smoothed mean approaches zero but never reaches it. Without the subtraction of a few
    // hundredths, it would keep the last instance forever.
    let share = (mean?.tasks ?? 0) / PoolPolicy.fullness / Double(policy.concurrency)
    let enough = max(whole(share - 0.05), policy.min)
    guard enough < seen.instances else {
      quiet = nil
      return (seen.instances, .steady)
    }
    // After the clock was set back, the period begins now.
    let since = quiet.map { min($0.since, now) } ?? now
    let peak = max(enough, quiet?.peak ?? 0)
    quiet = (since, peak)
    // The current load counts too, because the smoothed one lags behind it.
    let wanted = max(peak, instances(for: tasks(seen)))
    guard now.subtracting(since) >= policy.shrinkAfter, wanted < seen.instances else {
      return (seen.instances, .steady)
    }
    return change(to: wanted, .idle, at: now)
  }

  private func tasks(_ seen: Observation) -> Double {
    Double(seen.running) + Double(seen.queued)
  }

  /// Smooths the number of tasks with half of ``PoolPolicy/shrinkAfter`` as the time constant. The
  /// implicit Euler step needs no exponential and never overshoots.
  private mutating func smooth(_ seen: Observation, at now: Int64) {
    guard let last = mean else {
      mean = (tasks(seen), now)
      return
    }
    let passed = Double(max(0, now.subtracting(last.at)))
    let weight = passed / (passed + Double(policy.shrinkAfter) / 2)
    mean = (last.tasks + (tasks(seen) - last.tasks) * weight, now)
  }

  private func slots(of instances: Int) -> Int { max(1, instances) * policy.concurrency }

  private func instances(for tasks: Double) -> Int { whole(tasks / Double(policy.concurrency)) }

  /// The next whole number, within the policy's bounds.
  private func whole(_ instances: Double) -> Int {
    guard instances > 0 else { return 0 }
    guard instances < Double(policy.max) else { return policy.max }
    // `rounded` would need the C library.
    let floor = Int(clamping: Int64(clamping: instances))
    return Double(floor) < instances ? floor + 1 : floor
  }

  private mutating func change(
    to instances: Int, _ reason: Reason, at now: Int64
  ) -> (instances: Int, reason: Reason) {
    lastChange = now
    quiet = nil
    return (instances, reason)
  }
}
