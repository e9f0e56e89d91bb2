/// A priority queue that returns the least element first.
struct BinaryHeap<Element: Comparable> {
  private var elements: [Element] = []

  var count: Int { elements.count }
  var least: Element? { elements.first }

  init() {}

  init(_ elements: [Element]) {
    // A sorted array is a heap.
    self.elements = elements.sorted()
  }

  mutating func push(_ element: Element) {
    elements.append(element)
    var place = elements.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard elements[place] < elements[parent] else { return }
      elements.swapAt(place, parent)
      place = parent
    }
  }

  mutating func popLeast() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let least = elements.first else { return last }
    elements[0] = last
    sink()
    return least
  }

  /// Moves the first element down to its position.
  private mutating func sink() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < elements.count && elements[child] < elements[least] {
        least = child
      }
      if least == place { return }
      elements.swapAt(place, least)
      place = least
    }
  }
}
