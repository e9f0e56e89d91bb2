internal import AgentJSON

/// The earliest ``limit`` values in the order of their rows, without null.
struct ListAccumulator: Accumulator {
  static let isFixedSize = false
  /// The maximum number of values in a list or a set.
  static let limit = 10_000
  private var values: [StampedValue] = []
  private var content = 0
  private var isCut = false

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard !value.isNull else { return }
    values.append(StampedValue(stamp: stamp, value: value))
    content += value.heldBytes
    cut()
  }

  mutating func merge(_ other: Self) {
    values += other.values
    content += other.content
    isCut = isCut || other.isCut
    cut()
  }

  // The values are cut at twice the limit, so that each is sorted a limited number of times.
  private mutating func cut() {
    guard values.count >= 2 * Self.limit else { return }
    isCut = true
    values.sort { $0.stamp < $1.stamp }
    values.removeLast(values.count - Self.limit)
    content = values.reduce(0) { $0 + $1.value.heldBytes }
  }

  /// Whether values are missing from the list.
  var isSketch: Bool { isCut || values.count > Self.limit }
  var bytes: Int { values.capacity * MemoryLayout<StampedValue>.stride + content }

  var result: JSONValue { .array(ordered.prefix(Self.limit).map(\.value)) }

  private var ordered: [StampedValue] { values.sorted { $0.stamp < $1.stamp } }
}

/// The first ``ListAccumulator/limit`` different values in the order of their first rows, without
/// null.
struct SetAccumulator: Accumulator {
  static let isFixedSize = false
  private var stamps: [JSONValue: RowStamp] = [:]
  private var content = 0
  private var isCut = false

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard !value.isNull else { return }
    if let known = stamps[value] {
      if stamp < known { stamps[value] = stamp }
    } else {
      stamps[value] = stamp
      content += value.heldBytes
      cut()
    }
  }

  mutating func merge(_ other: Self) {
    isCut = isCut || other.isCut
    for (value, stamp) in other.stamps { add(value, at: stamp) }
  }

  private mutating func cut() {
    guard stamps.count >= 2 * ListAccumulator.limit else { return }
    isCut = true
    stamps = Dictionary(uniqueKeysWithValues: ordered.prefix(ListAccumulator.limit).map { $0 })
    content = stamps.keys.reduce(0) { $0 + $1.heldBytes }
  }

  /// Whether values are missing from the set.
  var isSketch: Bool { isCut || stamps.count > ListAccumulator.limit }
  var bytes: Int {
    stamps.capacity * (MemoryLayout<(JSONValue, RowStamp)>.stride + 1) + content
  }

  var result: JSONValue { .array(ordered.prefix(ListAccumulator.limit).map(\.key)) }

  private var ordered: [(key: JSONValue, value: RowStamp)] {
    stamps.sorted { $0.value < $1.value }
  }
}
