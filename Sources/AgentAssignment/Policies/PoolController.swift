internal import AgentSystem

/// How many instances a pool shall have. Pure: it is told what there is, and the time.
///
/// It grows where tasks wait for longer than they shall, and shrinks where fewer instances would
/// have been enough for a while; in between it stays as it is.
public struct PoolController: Sendable {
  /// What is seen of a pool.
  public struct Observation: Sendable, Hashable {
    /// Tasks that wait.
    public var queued: Int
    /// Tasks that run.
    public var running: Int
    /// Instances that are there or are starting.
    public var instances: Int
    /// Milliseconds that a task takes, on average; nil where none has ended yet.
    public var serviceTime: Double?

    /// What is seen of a pool.
    public init(queued: Int, running: Int, instances: Int, serviceTime: Double?) {
      self.queued = max(0, queued)
      self.running = max(0, running)
      self.instances = max(0, instances)
      self.serviceTime = serviceTime.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
    }
  }

  /// Why a pool has the size that it shall have.
  public enum Reason: String, Sendable, Hashable {
    /// Nothing calls for a change, or it is too early for one.
    case steady
    /// It has fewer than its least or more than its most.
    case bounds
    /// Tasks wait for too long.
    case queue
    /// Fewer have been enough for a while.
    case idle
  }

  /// The policy.
  public let policy: PoolPolicy
  private var lastChange: Int64?
  /// The tasks that ran or waited, averaged over time, and when that was.
  private var mean: (tasks: Double, at: Int64)?
  /// Since when fewer would do, and how many of those at the busiest moment since.
  private var quiet: (since: Int64, peak: Int)?

  /// A controller that has seen nothing.
  public init(_ policy: PoolPolicy) { self.policy = policy }

  /// How many instances are wanted. Ask about once a second.
  public mutating func wanted(
    _ seen: Observation, at now: Int64
  ) -> (instances: Int, reason: Reason) {
    follow(seen, at: now)
    let bounded = min(max(seen.instances, policy.min), policy.max)
    if bounded != seen.instances { return change(to: bounded, .bounds, at: now) }
    if waitsTooLong(seen) { return grow(seen, at: now) }
    return shrink(seen, at: now)
  }

  /// Whether who comes last waits for longer than the target: `queued × service / room > target`.
  private func waitsTooLong(_ seen: Observation) -> Bool {
    guard seen.queued > 0 else { return false }
    guard seen.instances > 0 else { return true }
    // Where nothing is known, whoever finds no free place waits for too long.
    guard let service = seen.serviceTime else { return seen.running >= room(seen.instances) }
    let wait = Double(seen.queued) * service / Double(room(seen.instances))
    return wait > Double(policy.targetQueueTime)
  }

  private mutating func grow(
    _ seen: Observation, at now: Int64
  ) -> (instances: Int, reason: Reason) {
    quiet = nil
    let isEarly = lastChange.map { now.subtracting($0) < policy.growAfter && now >= $0 } ?? false
    guard !isEarly, seen.instances < policy.max else { return (seen.instances, .steady) }
    let wanted = max(seen.instances + 1, demand(seen))
    return change(to: min(wanted, policy.max), .queue, at: now)
  }

  /// Those that keep up with what runs, and work off what waits within the target:
  /// `(running + queued × service / target) / concurrency`.
  private func demand(_ seen: Observation) -> Int {
    guard let service = seen.serviceTime else { return 0 }
    let backlog = Double(seen.queued) * service / Double(policy.targetQueueTime)
    return instances(for: Double(seen.running) + backlog)
  }

  private mutating func shrink(
    _ seen: Observation, at now: Int64
  ) -> (instances: Int, reason: Reason) {
    // A few hundredths of a task are nobody's: without that the mean would never let go of the last.
    let share = (mean?.tasks ?? 0) / PoolPolicy.fullness / Double(policy.concurrency)
    let enough = max(whole(share - 0.05), policy.min)
    guard enough < seen.instances else {
      quiet = nil
      return (seen.instances, .steady)
    }
    let since = quiet.map { min($0.since, now) } ?? now
    let peak = max(enough, quiet?.peak ?? 0)
    quiet = (since, peak)
    let wanted = max(peak, instances(for: tasks(seen)))
    guard now.subtracting(since) >= policy.shrinkAfter, wanted < seen.instances else {
      return (seen.instances, .steady)
    }
    return change(to: wanted, .idle, at: now)
  }

  private func tasks(_ seen: Observation) -> Double {
    Double(seen.running) + Double(seen.queued)
  }

  /// Follows the number of tasks with half of ``PoolPolicy/shrinkAfter`` as its time constant, by
  /// the implicit Euler step, which needs no exponential and never overshoots.
  private mutating func follow(_ seen: Observation, at now: Int64) {
    guard let last = mean else {
      mean = (tasks(seen), now)
      return
    }
    let passed = Double(max(0, now.subtracting(last.at)))
    let weight = passed / (passed + Double(policy.shrinkAfter) / 2)
    mean = (last.tasks + (tasks(seen) - last.tasks) * weight, now)
  }

  private func room(_ instances: Int) -> Int { max(1, instances) * policy.concurrency }

  private func instances(for tasks: Double) -> Int { whole(tasks / Double(policy.concurrency)) }

  /// The next whole number, within the policy's bounds.
  private func whole(_ instances: Double) -> Int {
    guard instances > 0 else { return 0 }
    guard instances < Double(policy.max) else { return policy.max }
    // Without `rounded`, which would need the C library.
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
