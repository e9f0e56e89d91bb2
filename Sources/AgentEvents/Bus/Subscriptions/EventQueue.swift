internal import DequeModule

/// Waiting events, oldest first, in the runs of their delivery. Several queues share a run.
struct EventQueue {
  private var runs: Deque<ArraySlice<Event>> = []
  private(set) var count = 0
  /// The size of their texts together, in bytes.
  private(set) var bytes = 0

  var isEmpty: Bool { count == 0 }

  /// - Parameter bytes: the size of the texts. Nil means that it isn't known yet.
  mutating func append(_ events: ArraySlice<Event>, bytes: Int? = nil) {
    guard !events.isEmpty else { return }
    runs.append(events)
    count += events.count
    self.bytes += bytes ?? events.textBytes
  }

  /// Takes up to `most` of the oldest events. A whole run isn't copied.
  mutating func take(_ most: Int) -> [Event] {
    let wanted = min(max(0, most), count)
    if let first = runs.first, first.count == wanted {
      runs.removeFirst()
      count -= wanted
      bytes -= first.textBytes
      return Array(first)
    }
    var taken: [Event] = []
    taken.reserveCapacity(wanted)
    remove(wanted) { taken += $0 }
    return taken
  }

  /// Returns how many of the `most` oldest events reach a number of bytes.
  func count(_ most: Int, bytes: Int) -> Int {
    var (found, sum) = (0, 0)
    for run in runs {
      for event in run {
        // The check comes before an event is added, so that one event is always taken, whatever its
        // size.
        guard found < most, sum < bytes else { return found }
        found += 1
        sum += event.encoded.count
      }
    }
    return found
  }

  /// Removes the oldest events.
  mutating func removeFirst(_ number: Int) { remove(number) { _ in } }

  mutating func removeAll() { self = EventQueue() }

  private mutating func remove(_ number: Int, _ each: (ArraySlice<Event>) -> Void) {
    var left = min(number, count)
    count -= left
    while left > 0, let first = runs.first {
      each(first.prefix(left))
      bytes -= first.prefix(left).textBytes
      if first.count > left {
        runs[0] = first.dropFirst(left)
        return
      }
      left -= first.count
      runs.removeFirst()
    }
  }
}
