internal import AgentJSON

/// A value with the stamp of its row.
struct StampedValue: Sendable {
  let stamp: RowStamp
  let value: JSONValue
}

/// The value of the earliest row.
struct FirstAccumulator: Accumulator {
  static let isFixedSize = true
  static let holdsValues = true
  private var first: StampedValue?

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    if let first, !(stamp < first.stamp) { return }
    first = StampedValue(stamp: stamp, value: value)
  }

  mutating func merge(_ other: Self) {
    if let first = other.first { add(first.value, at: first.stamp) }
  }

  var result: JSONValue { first?.value ?? .null }
  var bytes: Int { first?.value.heldBytes ?? 0 }
}

/// The value of the latest row.
struct LastAccumulator: Accumulator {
  static let isFixedSize = true
  static let holdsValues = true
  private var last: StampedValue?

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    if let last, stamp < last.stamp { return }
    last = StampedValue(stamp: stamp, value: value)
  }

  mutating func merge(_ other: Self) {
    if let last = other.last { add(last.value, at: last.stamp) }
  }

  var result: JSONValue { last?.value ?? .null }
  var bytes: Int { last?.value.heldBytes ?? 0 }
}

/// The result of `Base` over the values that aren't null.
struct NotNull<Base: Accumulator>: Accumulator {
  static var isFixedSize: Bool { Base.isFixedSize }
  static var holdsValues: Bool { Base.holdsValues }
  private(set) var base = Base()

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    if !value.isNull { base.add(value, at: stamp) }
  }

  mutating func merge(_ other: Self) { base.merge(other.base) }

  var isSketch: Bool { base.isSketch }
  var bytes: Int { base.bytes }
}
