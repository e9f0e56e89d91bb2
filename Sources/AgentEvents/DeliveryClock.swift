internal import AgentSystem
internal import DequeModule

/// When events were delivered, by the bus's clock: a query that is behind looks at the time as it
/// was when the events that it takes came.
///
/// Events don't say when they came: their timestamps may be of any device's clock.
struct DeliveryClock {
  private struct Entry {
    let position: UInt64
    let moment: Int64
  }

  /// How long one entry stands for all that is delivered, in milliseconds.
  private static let step: Int64 = 100
  /// How many are kept: half an hour of events that never cease, in 320 KB. A query that is further
  /// behind puts nothing out until it has come so far again.
  private static let maxCount = 20_000

  private var entries: Deque<Entry> = []

  /// All up to a position have been delivered at a moment.
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

  /// The time when all up to a position had been delivered, a little early where it isn't known
  /// exactly; nil where that is longer ago than anybody knows.
  func moment(at position: UInt64) -> Int64? {
    // The first entry behind the position.
    var (lower, upper) = (0, entries.count)
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if entries[middle].position <= position { lower = middle + 1 } else { upper = middle }
    }
    return lower == 0 ? nil : entries[lower - 1].moment
  }
}
