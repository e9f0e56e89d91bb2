internal import AgentJSON

/// The number of rows whose value is neither null nor false.
struct CountAccumulator: Accumulator {
  static let isFixedSize = true
  private var count = 0

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    switch value {
    case .null, .bool(false): break
    default: count += 1
    }
  }

  mutating func merge(_ other: Self) { count += other.count }

  var result: JSONValue { JSONValue(count) }
}
