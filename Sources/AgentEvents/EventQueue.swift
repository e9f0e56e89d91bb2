internal import DequeModule

/// Events that wait, oldest first, as they were delivered: in runs that several queues share.
struct EventQueue {
  private var runs: Deque<ArraySlice<Event>> = []
  private(set) var count = 0
  /// How long their texts are together.
  private(set) var bytes = 0

  var isEmpty: Bool { count == 0 }

  /// - Parameter bytes: how long the texts are; nil when that isn't known yet.
  mutating func append(_ events: ArraySlice<Event>, bytes: Int? = nil) {
    guard !events.isEmpty else { return }
    runs.append(events)
    count += events.count
    self.bytes += bytes ?? events.textBytes
  }

  /// Takes the oldest so many. Nothing is copied when they were delivered together.
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

  /// How many of the oldest so many come before this many bytes are there, the last one included.
  func count(_ most: Int, bytes: Int) -> Int {
    var (found, sum) = (0, 0)
    for run in runs {
      for event in run {
        guard found < most, sum < bytes else { return found }
        found += 1
        sum += event.encoded.count
      }
    }
    return found
  }

  /// Forgets the oldest so many.
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
