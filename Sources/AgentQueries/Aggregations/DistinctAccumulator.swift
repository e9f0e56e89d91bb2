internal import AgentJSON

/// The number of different values, without null. It is exact up to ``limit`` and then estimated by
/// a ``DistinctSketch``.
struct DistinctAccumulator: Accumulator {
  static let isFixedSize = false
  /// The number of different values up to which the count is exact.
  static let limit = 10_000

  /// All values. It is empty after the change to a sketch.
  private var values: Set<JSONValue> = []
  private var content = 0
  private var sketch: DistinctSketch?

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard !value.isNull else { return }
    guard sketch == nil else {
      sketch?.add(value)
      return
    }
    if values.insert(value).inserted { content += value.heldBytes }
    if values.count > Self.limit { becomeSketch() }
  }

  mutating func merge(_ other: Self) {
    if let otherSketch = other.sketch {
      becomeSketch()
      sketch?.merge(otherSketch)
    } else {
      for value in other.values where values.insert(value).inserted {
        content += value.heldBytes
      }
      if sketch != nil || values.count > Self.limit { becomeSketch() }
    }
  }

  /// Changes the state to a sketch of the values.
  private mutating func becomeSketch() {
    if sketch == nil { sketch = DistinctSketch() }
    for value in values { sketch?.add(value) }
    (values, content) = ([], 0)
  }

  var result: JSONValue { JSONValue(sketch?.estimate ?? values.count) }

  var isSketch: Bool { sketch != nil }

  var bytes: Int {
    values.capacity * (MemoryLayout<JSONValue>.stride + 1) + content
      + (sketch == nil ? 0 : DistinctSketch.bytes)
  }
}
