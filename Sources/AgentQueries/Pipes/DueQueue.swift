/// Elements in the order of their due times, and of their numbers at the same time.
struct DueQueue<Element> {
  /// An element with its due time.
  struct Entry {
    let due: Int64
    let number: UInt64
    let element: Element

    fileprivate func precedes(_ other: Entry) -> Bool {
      (due, number) < (other.due, other.number)
    }
  }

  /// A binary heap: no entry is before its parent at half its index.
  private var heap: [Entry] = []

  var first: Entry? { heap.first }
  var count: Int { heap.count }

  mutating func insert(_ element: Element, due: Int64, number: UInt64) {
    heap.append(Entry(due: due, number: number, element: element))
    var place = heap.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard heap[place].precedes(heap[parent]) else { return }
      heap.swapAt(place, parent)
      place = parent
    }
  }

  mutating func popFirst() -> Entry? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    sink()
    return first
  }

  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if heap[child].precedes(heap[least]) { least = child }
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }

  /// Keeps the entries for which `isWanted` returns true.
  mutating func keep(where isWanted: (Entry) -> Bool) {
    let kept = heap.filter(isWanted).sorted { $0.precedes($1) }
    heap = kept
  }
}
