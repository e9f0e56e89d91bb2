/// The keys and elements of a value that its schemas have evaluated, for `unevaluated…`. It costs
/// nothing if no schema needs it.
struct Coverage {
  /// Whether a schema needs the coverage.
  let tracks: Bool
  private var keys: Set<ExactText> = []
  private var elements: Set<Int> = []
  // Most schemas evaluate all elements or the first ones, so a number replaces a set of indices.
  private var leading = 0

  init(tracks: Bool) {
    self.tracks = tracks
  }

  mutating func add(key: String) {
    if tracks { keys.insert(ExactText(key)) }
  }

  mutating func add(element: Int) {
    if tracks { elements.insert(element) }
  }

  /// Adds the first `count` elements.
  mutating func add(leading count: Int) {
    if tracks { leading = max(leading, count) }
  }

  func covers(key: String) -> Bool {
    !keys.isEmpty && keys.contains(ExactText(key))
  }

  func covers(element: Int) -> Bool {
    element < leading || elements.contains(element)
  }

  mutating func formUnion(_ other: Coverage) {
    guard tracks else { return }
    keys.formUnion(other.keys)
    elements.formUnion(other.elements)
    leading = max(leading, other.leading)
  }
}
