internal import AgentJSON

/// The state of an aggregation over the rows so far.
///
/// Adding and merging commute. The result depends only on the values and their stamps, not on the
/// order of the rows and not on the panes of the window.
protocol Accumulator: Sendable {
  /// Whether the state has a fixed size, whatever the number of values.
  ///
  /// Such states are merged into running totals. A result then costs the same for every length of
  /// the window. The other states are kept for each pane and merged for a result.
  static var isFixedSize: Bool { get }

  /// Whether ``bytes`` may change. This is so if the state holds values of any size, or any number
  /// of them.
  static var holdsValues: Bool { get }

  init()

  /// Adds the value of one row.
  mutating func add(_ value: JSONValue, at stamp: RowStamp)

  /// Adds everything that `other` has counted.
  mutating func merge(_ other: Self)

  /// Whether the result is an estimate, because there were too many values to keep.
  var isSketch: Bool { get }

  /// The approximate number of bytes that the state holds outside itself. It is read after each
  /// value, so its cost must not grow with the number of values.
  var bytes: Int { get }
}

extension Accumulator {
  static var holdsValues: Bool { !isFixedSize }
  var isSketch: Bool { false }
  var bytes: Int { 0 }
}

/// The time of a row, and its number among rows of the same time.
struct RowStamp: Sendable, Hashable, Comparable {
  let time: Int64
  let sequence: UInt64

  static func < (left: RowStamp, right: RowStamp) -> Bool {
    left.time == right.time ? left.sequence < right.sequence : left.time < right.time
  }
}
