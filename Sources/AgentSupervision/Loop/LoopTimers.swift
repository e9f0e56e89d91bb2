/// Identifies a scheduled timer for its cancellation.
public struct LoopTimer: Sendable, Hashable {
  let id: UInt64
}

/// Timers in the order of their due times, as a binary heap. A cancelled timer only loses its call.
/// It is removed from the heap when it is due, or when more than half of all timers are cancelled.
struct LoopTimers {
  typealias Call = @Sendable () -> Void

  private struct Entry {
    var due: LoopInstant
    var id: UInt64

    func isBefore(_ other: Entry) -> Bool {
      due == other.due ? id < other.id : due < other.due
    }
  }

  private var heap: [Entry] = []
  private var calls: [UInt64: Call] = [:]
  private var lastID: UInt64 = 0

  mutating func insert(due: LoopInstant, _ call: @escaping Call) -> LoopTimer {
    lastID += 1
    calls[lastID] = call
    heap.append(Entry(due: due, id: lastID))
    siftUp(heap.count - 1)
    return LoopTimer(id: lastID)
  }

  mutating func cancel(_ timer: LoopTimer) {
    guard calls.removeValue(forKey: timer.id) != nil else { return }
    if heap.count > 64, heap.count > 2 * calls.count { dropDead() }
  }

  /// Returns the time when the next timer is due.
  mutating func next() -> LoopInstant? {
    while let first = heap.first {
      if calls[first.id] != nil { return first.due }
      removeFirst()
    }
    return nil
  }

  /// Removes the next due timer and returns its call.
  mutating func popDue(at now: LoopInstant) -> Call? {
    guard let due = next(), due <= now, let first = heap.first else { return nil }
    removeFirst()
    return calls.removeValue(forKey: first.id)
  }

  private mutating func dropDead() {
    heap.removeAll { calls[$0.id] == nil }
    heap.sort { $0.isBefore($1) }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let least = right < heap.count && heap[right].isBefore(heap[left]) ? right : left
      guard heap[least].isBefore(heap[parent]) else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
