internal import AgentJSON

/// The numbers among the values, for medians and percentiles. It keeps all of them up to ``limit``,
/// and then a ``QuantileSketch``.
struct QuantileAccumulator: Accumulator {
  static let isFixedSize = false
  /// The number of values up to which a quantile is exact.
  static let limit = 10_000

  /// All values. It is empty after the change to a sketch.
  private var values: [Double] = []
  private var sketch: QuantileSketch?

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard case .number(let number) = value else { return }
    guard sketch == nil else {
      sketch?.add(number.double)
      return
    }
    values.append(number.double)
    if values.count > Self.limit { becomeSketch() }
  }

  mutating func merge(_ other: Self) {
    if let otherSketch = other.sketch {
      becomeSketch()
      sketch?.merge(otherSketch)
    } else {
      values += other.values
      if sketch != nil || values.count > Self.limit { becomeSketch() }
    }
  }

  /// Changes the state to a sketch of the values.
  private mutating func becomeSketch() {
    if sketch == nil { sketch = QuantileSketch() }
    for value in values { sketch?.add(value) }
    values = []
  }

  /// Returns the value below which `share` (0…1) of the values lie. It is interpolated linearly
  /// between the two nearest ranks. Returns null without numbers.
  func quantile(_ share: Double) -> JSONValue {
    let value = sketch?.quantile(share) ?? Self.exact(values.sorted(), share)
    return value.map { JSONValue($0) } ?? .null
  }

  private static func exact(_ sorted: [Double], _ share: Double) -> Double? {
    guard let last = sorted.last else { return nil }
    let rank = min(max(share, 0), 1) * Double(sorted.count - 1)
    let whole = rank.rounded(.down)
    let nearest = sorted.dropFirst(Int(exactly: whole) ?? sorted.count).prefix(2)
    guard nearest.count == 2, let below = nearest.first, let above = nearest.last else {
      return last
    }
    let part = rank - whole
    // A weighted sum is used, because the difference of two huge values could be infinite.
    return part == 0 ? below : below * (1 - part) + above * part
  }

  var isSketch: Bool { sketch != nil }

  var bytes: Int { values.capacity * MemoryLayout<Double>.stride + (sketch?.bytes ?? 0) }
}
