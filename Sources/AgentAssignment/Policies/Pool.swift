internal import AgentSystem

/// The instances of a pool, by numbers from 1, and what is to be done with them. Pure: it is told
/// what there is, and the time.
///
/// An instance that isn't wanted any more is drained: it takes nothing new, and is stopped once it
/// has nothing left.
public struct Pool: Sendable {
  /// How an instance stands.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// It is there, or is starting.
    case working
    /// It ends what it has.
    case draining
    /// It is told to stop.
    case stopping
    /// It doesn't run, although it should; it is started again after a while.
    case failed
  }

  /// What is to be done.
  public enum Action: Sendable, Hashable {
    /// Start this one.
    case start(Int)
    /// Give it nothing new.
    case drain(Int)
    /// It may have new tasks again.
    case resume(Int)
    /// Stop it: it has nothing.
    case stop(Int)
  }

  /// What is seen of a pool.
  public struct Observation: Sendable, Hashable {
    /// Tasks that wait.
    public var queued: Int
    /// The tasks of each instance.
    public var load: [Int: Int]
    /// Milliseconds that a task takes, on average; nil where none has ended yet.
    public var serviceTime: Double?

    /// What is seen of a pool.
    public init(queued: Int, load: [Int: Int] = [:], serviceTime: Double? = nil) {
      self.queued = queued
      self.load = load
      self.serviceTime = serviceTime
    }
  }

  /// How often it is looked at while something goes on, in milliseconds.
  public static let interval: Int64 = 1_000

  /// The instances there are.
  public private(set) var instances: [Int: Phase] = [:]
  /// Why it has the size that it has.
  public private(set) var reason = PoolController.Reason.steady
  private var controller: PoolController
  private var failedAt: [Int: Int64] = [:]

  /// A pool without instances.
  public init(_ policy: PoolPolicy) { controller = PoolController(policy) }

  /// The policy.
  public var policy: PoolPolicy { controller.policy }

  /// Goes by another policy from now on. Instances with greater numbers than its most are gone.
  public mutating func follow(_ policy: PoolPolicy) {
    guard policy != controller.policy else { return }
    controller = PoolController(policy)
    instances = instances.filter { $0.key <= policy.max }
  }

  /// An instance has ended, or can't be started.
  public mutating func failed(_ number: Int, at now: Int64) {
    guard instances[number] == .working || instances[number] == .draining else { return }
    instances[number] = .failed
    failedAt[number] = now
  }

  /// An instance that was told to stop has stopped.
  public mutating func stopped(_ number: Int) {
    if instances[number] == .stopping { instances[number] = nil }
  }

  /// What is to be done now.
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

  /// When to look again, if nothing changes until then; nil for not at all.
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

  /// Those that have failed are started again after the time that the pool takes to grow.
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

  /// Those with the fewest tasks go first, and of these those that came last.
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
