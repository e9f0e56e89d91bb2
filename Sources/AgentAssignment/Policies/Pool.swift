internal import AgentSystem

/// The instances of a pool, numbered from 1, and the actions that they need. It is pure: the caller
/// passes the time and an observation.
///
/// A surplus instance is drained. It takes no new task, and it is stopped once it has no task left.
public struct Pool: Sendable {
  /// The phase of an instance.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The instance runs or is starting.
    case working
    /// The instance ends its tasks and takes no new ones.
    case draining
    /// The instance was asked to stop.
    case stopping
    /// The instance should run but doesn't. It is started again after a delay.
    case failed
  }

  /// An act that the caller must perform.
  public enum Action: Sendable, Hashable {
    /// Start this instance.
    case start(Int)
    /// Give this instance no new task.
    case drain(Int)
    /// Give this instance new tasks again.
    case resume(Int)
    /// Stop this instance. It has no task.
    case stop(Int)
  }

  /// The load of a pool at one moment.
  public struct Observation: Sendable, Hashable {
    /// The number of waiting tasks.
    public var queued: Int
    /// The number of tasks of each instance.
    public var load: [Int: Int]
    /// The mean run time of a task, in milliseconds. Nil before the first task has ended.
    public var serviceTime: Double?

    /// Creates an observation.
    public init(queued: Int, load: [Int: Int] = [:], serviceTime: Double? = nil) {
      self.queued = queued
      self.load = load
      self.serviceTime = serviceTime
    }
  }

  /// The time between two observations while tasks run or wait, in milliseconds.
  public static let interval: Int64 = 1_000

  /// The phase of each instance, by its number.
  public private(set) var instances: [Int: Phase] = [:]
  /// Why the pool has its size.
  public private(set) var reason = PoolController.Reason.steady
  private var controller: PoolController
  private var failedAt: [Int: Int64] = [:]

  /// Creates a pool without instances.
  public init(_ policy: PoolPolicy) { controller = PoolController(policy) }

  /// The policy that applies now.
  public var policy: PoolPolicy { controller.policy }

  /// Replaces the policy. Instances with numbers above the new maximum are removed.
  public mutating func apply(_ policy: PoolPolicy) {
    guard policy != controller.policy else { return }
    controller = PoolController(policy)
    instances = instances.filter { $0.key <= policy.max }
  }

  /// Records that an instance has ended or can't be started.
  public mutating func failed(_ number: Int, at now: Int64) {
    guard instances[number] == .working || instances[number] == .draining else { return }
    instances[number] = .failed
    failedAt[number] = now
  }

  /// Records that an instance has stopped after it was asked to.
  public mutating func stopped(_ number: Int) {
    if instances[number] == .stopping { instances[number] = nil }
  }

  /// Returns the actions that are due now.
  public mutating func look(_ seen: Observation, at now: Int64) -> [Action] {
    var actions = stopDrained(seen)
    actions += retry(at: now)
    let active = instances.filter { $0.value == .working || $0.value == .failed }.map(\.key)
    let observation = PoolController.Observation(
      queued: seen.queued, running: active.reduce(0) { $0 + (seen.load[$1] ?? 0) },
      instances: active.count, serviceTime: seen.serviceTime)
    let wanted = controller.wanted(observation, at: now)
    if wanted.reason != .steady { reason = wanted.reason }
    if wanted.instances > active.count { actions += grow(by: wanted.instances - active.count) }
    if wanted.instances < active.count {
      actions += shrink(active, by: active.count - wanted.instances, seen)
    }
    return actions
  }

  /// When to call ``look(_:at:)`` again if nothing changes until then. Nil means never.
  public func nextLook(after seen: Observation, at now: Int64) -> Int64? {
    let isAtRest =
      seen.queued == 0 && instances.count == policy.min
      && instances.values.allSatisfy { $0 == .working }
    return isAtRest ? nil : now.adding(Self.interval)
  }

  private mutating func stopDrained(_ seen: Observation) -> [Action] {
    let drained = instances.filter { $0.value == .draining && (seen.load[$0.key] ?? 0) == 0 }
    return drained.keys.sorted().map { number in
      instances[number] = .stopping
      return .stop(number)
    }
  }

  /// Starts failed instances again after the policy's `growAfter`.
  private mutating func retry(at now: Int64) -> [Action] {
    let due = instances.filter { number, phase in
      phase == .failed && now.subtracting(failedAt[number] ?? 0) >= policy.growAfter
    }
    return due.keys.sorted().map { number in
      instances[number] = .working
      return .start(number)
    }
  }

  private mutating func grow(by count: Int) -> [Action] {
    var actions: [Action] = []
    let draining = instances.filter { $0.value == .draining }.keys.sorted()
    for number in draining.prefix(count) {
      instances[number] = .working
      actions.append(.resume(number))
    }
    let free = (1...policy.max).filter { instances[$0] == nil }
    for number in free.prefix(count - actions.count) {
      instances[number] = .working
      actions.append(.start(number))
    }
    return actions
  }

  /// Drains the instances with the fewest tasks first, and among equals the newest.
  private mutating func shrink(_ active: [Int], by count: Int, _ seen: Observation) -> [Action] {
    let order = active.sorted {
      (seen.load[$0] ?? 0, -$0) < (seen.load[$1] ?? 0, -$1)
    }
    return order.prefix(count).map { number in
      instances[number] = .draining
      return .drain(number)
    }
  }
}
