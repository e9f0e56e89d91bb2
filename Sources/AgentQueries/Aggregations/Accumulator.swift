internal import AgentJSON

/// The state of an aggregation over the rows that it has seen.
///
/// Adding and merging commute: the result depends on the values and their stamps only, never on
/// the order in which they came or on how the window was cut into panes.
protocol Accumulator: Sendable {
  /// Whether the state is of one size whatever the number of values.
  ///
  /// Such states are merged into running totals, so that a result costs the same whatever the
  /// window's length; the others are kept a pane each and merged for a result.
  static var isFixedSize: Bool { get }

  /// Whether ``bytes`` may change: the state holds values of any size, or any number of them.
  static var holdsValues: Bool { get }

  /// Nothing seen yet.
  init()

  /// Takes in the value of one row.
  mutating func add(_ value: JSONValue, at stamp: RowStamp)

  /// Takes in all that `other` has seen.
  mutating func merge(_ other: Self)

  /// Whether the result is an estimate because there were too many values to keep.
  var isSketch: Bool { get }

  /// About how many bytes the state occupies outside itself. Asked for with each value, so that the
  /// cost must not grow with their number.
  var bytes: Int { get }
}

extension Accumulator {
  static var holdsValues: Bool { !isFixedSize }
  var isSketch: Bool { false }
  var bytes: Int { 0 }
}

/// When a row happened and, for rows of the same moment, which came first.
struct RowStamp: Sendable, Hashable, Comparable {
  let time: Int64
  let sequence: UInt64

  static func < (left: RowStamp, right: RowStamp) -> Bool {
    left.time == right.time ? left.sequence < right.sequence : left.time < right.time
  }
}
