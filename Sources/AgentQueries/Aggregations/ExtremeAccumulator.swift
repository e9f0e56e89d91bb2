internal import AgentJSON

/// The least value. Null doesn't count.
struct LeastAccumulator: Accumulator {
  static let isFixedSize = true
  static let holdsValues = true
  private(set) var result = JSONValue.null
  var bytes: Int { result.heldBytes }

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard !value.isNull else { return }
    if result.isNull || ValueOrder.precedes(value, result) { result = value }
  }

  mutating func merge(_ other: Self) {
    add(other.result, at: RowStamp(time: 0, sequence: 0))
  }
}

/// The greatest value. Null doesn't count.
struct MaxAccumulator: Accumulator {
  static let isFixedSize = true
  static let holdsValues = true
  private(set) var result = JSONValue.null
  var bytes: Int { result.heldBytes }

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard !value.isNull else { return }
    if result.isNull || ValueOrder.precedes(result, value) { result = value }
  }

  mutating func merge(_ other: Self) {
    add(other.result, at: RowStamp(time: 0, sequence: 0))
  }
}
