internal import DequeModule

/// Events that wait, oldest first, as they were delivered: in runs that several queues share.
struct EventQueue {
  private var runs: Deque<ArraySlice<Event>> = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ events: ArraySlice<Event>) {
    guard !events.isEmpty else { return }
    runs.append(events)
    count += events.count
  }

  /// Takes the oldest so many. Nothing is copied when they were delivered together.
  mutating func take(_ most: Int) -> [Event] {
    let wanted = min(max(0, most), count)
    if let first = runs.first, first.count == wanted {
      runs.removeFirst()
      count -= wanted
      return Array(first)
    }
    var taken: [Event] = []
    taken.reserveCapacity(wanted)
    remove(wanted) { taken += $0 }
    return taken
  }

  /// Forgets the oldest so many.
  mutating func removeFirst(_ number: Int) { remove(number) { _ in } }

  mutating func removeAll() { self = EventQueue() }

  private mutating func remove(_ number: Int, _ each: (ArraySlice<Event>) -> Void) {
    var left = min(number, count)
    count -= left
    while left > 0, let first = runs.first {
      each(first.prefix(left))
      if first.count > left {
        runs[0] = first.dropFirst(left)
        return
      }
      left -= first.count
      runs.removeFirst()
    }
  }
}
