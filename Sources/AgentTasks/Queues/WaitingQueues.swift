/// What queues have in common that may begin tasks together or not at all: their group, their
/// limits, and who runs their tasks.
struct SharedLimit: Hashable {
  let group: QueueKey.Group
  let limit: Int64?
  let rate: TaskRate?
  /// The bots that may take the tasks; `nil` if the host runs them.
  let taker: QueueKey.Taker?

  init(_ queueKey: QueueKey, isOurs: Bool) {
    group = queueKey.group
    (limit, rate) = (queueKey.limit, queueKey.rate)
    taker = isOurs ? nil : queueKey.taker
  }
}

/// The queues with a common ``SharedLimit``. Only the first of them is in a heap of ready queues, so
/// that a decision for all of them doesn't visit each.
struct WaitingQueues {
  /// The queues that aren't in a heap of ready queues. Some tickets may be outdated.
  var behind = BinaryHeap<QueueLimits.Ticket>()
  /// The ticket in a heap of ready queues. None in `behind` is less. `nil` if there is none.
  var front: QueueLimits.Ticket?
  /// Whether they have no capacity. Then they stay in `behind`.
  var isParked = false
  /// The time at which their rate limit has capacity; `nil` if no timer is set.
  var wake: Int64?
  /// The number of queues.
  var count = 0
}

/// The parked queues of a group, by what they wait for.
struct ParkedLimits {
  /// A limit whose queues are parked because too many tasks are running.
  private struct Reached: Comparable {
    let limit: Int64
    let shared: SharedLimit

    // The greatest limit is the first that running tasks fall below.
    static func < (one: Reached, other: Reached) -> Bool { one.limit > other.limit }
    static func == (one: Reached, other: Reached) -> Bool { one.limit == other.limit }
  }

  private var all: Set<SharedLimit> = []
  private var reached = BinaryHeap<Reached>()
  /// Those whose rate limit has no capacity until a write has ended.
  private var untilWrite: [SharedLimit] = []

  var isEmpty: Bool { all.isEmpty }

  /// Adds parked queues.
  /// - Parameters:
  ///   - isReached: whether their limit is reached. Otherwise, their rate limit is.
  ///   - hasTimer: whether a timer ends their wait.
  mutating func insert(_ shared: SharedLimit, isReached: Bool, hasTimer: Bool) {
    all.insert(shared)
    if isReached, let limit = shared.limit {
      reached.push(Reached(limit: limit, shared: shared))
      // A heap can't remove an element from its middle. Most of it is outdated.
      if reached.count > 2 * all.count + 64 { rebuild() }
    } else if !hasTimer {
      untilWrite.append(shared)
    }
  }

  private mutating func rebuild() {
    var kept: Set<SharedLimit> = []
    var elements: [Reached] = []
    while let next = reached.popLeast() {
      if all.contains(next.shared), kept.insert(next.shared).inserted { elements.append(next) }
    }
    reached = BinaryHeap(elements)
  }

  mutating func remove(_ shared: SharedLimit) { all.remove(shared) }

  /// Removes and returns those whose limit isn't reached by `used` tasks, and those that wait for a
  /// write.
  mutating func take(below used: Int64) -> [SharedLimit] {
    var taken = takeUntilWrite()
    while let next = reached.least, next.limit > used {
      _ = reached.popLeast()
      if all.remove(next.shared) != nil { taken.append(next.shared) }
    }
    return taken
  }

  /// Removes and returns those that wait for a write.
  mutating func takeUntilWrite() -> [SharedLimit] {
    let former = untilWrite
    untilWrite = []
    return former.filter { all.remove($0) != nil }
  }
}
