internal import AgentSystem
internal import DequeModule

/// When events were delivered, by the bus's clock. A query that is behind goes by the time at which
/// the events that it takes came.
///
/// Rationale: events don't say when they came. Their timestamps may be of any device's clock.
struct DeliveryClock {
  private struct Entry {
    let position: UInt64
    let moment: Int64
  }

  /// One entry stands for all that is delivered within this many milliseconds.
  private static let step: Int64 = 100
  /// The most entries: half an hour of events that never cease, in 320 KB. A query that is further
  /// behind puts nothing out until it has caught up to the oldest entry.
  private static let maxCount = 20_000

  private var entries: Deque<Entry> = []

  /// Notes that all events up to a position were delivered by a moment. Under the bus's lock.
  mutating func note(_ position: UInt64, at moment: Int64) {
    if let last = entries.last {
      // A clock that was set back is noted, too: entries are in the order of positions.
      guard position > last.position,
        moment < last.moment || moment.subtracting(last.moment) >= Self.step
      else { return }
    }
    if entries.count >= Self.maxCount { entries.removeFirst() }
    entries.append(Entry(position: position, moment: moment))
  }

  /// The time when all events up to a position had been delivered, a little early where it isn't
  /// known exactly; nil where that is older than all entries.
  func moment(at position: UInt64) -> Int64? {
    // By halves, for the first entry behind the position: a query that is behind asks at every
    // round.
    var (lower, upper) = (0, entries.count)
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if entries[middle].position <= position { lower = middle + 1 } else { upper = middle }
    }
    return lower == 0 ? nil : entries[lower - 1].moment
  }
}
