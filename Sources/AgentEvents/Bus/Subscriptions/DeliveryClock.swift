internal import AgentSystem
internal import DequeModule

/// The times of deliveries by the bus's clock. A query that is behind uses the arrival times of its
/// events.
///
/// Rationale: events don't record their arrival. Their timestamps may come from the clock of any
/// device.
struct DeliveryClock {
  private struct Entry {
    let position: UInt64
    let moment: Int64
  }

  /// One entry stands for all deliveries within this time, in milliseconds.
  private static let step: Int64 = 100
  /// The maximum number of entries: half an hour of continuous events in 320 KB. A query that is
  /// further behind makes no output until it reaches the oldest entry.
  private static let maxCount = 20_000

  private var entries: Deque<Entry> = []

  /// Records that all events up to a position were delivered by a moment. Called under the bus's
  /// lock.
  mutating func note(_ position: UInt64, at moment: Int64) {
    if let last = entries.last {
      // Entries are in the order of positions, so a clock that was set back is recorded too.
      guard position > last.position,
        moment < last.moment || moment.subtracting(last.moment) >= Self.step
      else { return }
    }
    if entries.count >= Self.maxCount { entries.removeFirst() }
    entries.append(Entry(position: position, moment: moment))
  }

  /// Returns the time when all events up to a position had been delivered, or slightly earlier. Nil
  /// means that it is older than all entries.
  func moment(at position: UInt64) -> Int64? {
    // A binary search finds the first entry after the position, because a query that is behind asks
    // in every round.
    var (lower, upper) = (0, entries.count)
    while lower < upper {
      let middle = lower + (upper - lower) / 2
      if entries[middle].position <= position { lower = middle + 1 } else { upper = middle }
    }
    return lower == 0 ? nil : entries[lower - 1].moment
  }
}
