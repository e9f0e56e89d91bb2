internal import AgentJSON

/// How many rows; those whose value is null or false don't count.
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
