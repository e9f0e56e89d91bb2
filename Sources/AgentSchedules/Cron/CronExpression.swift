/// A cron expression of five or six fields, stored as sets of bits.
///
/// docs/schedules.md describes the syntax and the programs that it follows. A value is smaller than
/// 64 bytes and owns no memory, so a host can keep many of them.
public struct CronExpression: Sendable, Hashable {
  /// Bits 0 to 59.
  var seconds: UInt64 = 1
  /// Bits 0 to 59.
  var minutes: UInt64 = 0
  /// Seven bits, Sunday lowest, for each of the first to fifth weekdays of a month, then seven for
  /// the last one.
  var nthWeekdays: UInt64 = 0
  /// Bits 0 to 23.
  var hours: UInt32 = 0
  /// Bits 1 to 31.
  var days: UInt32 = 0
  /// Bit n is set for the day n days before the last day of the month.
  var daysFromEnd: UInt32 = 0
  /// Bit n is set for the weekday nearest to day n.
  var nearestWeekdays: UInt32 = 0
  /// Bits 1 to 12.
  var months: UInt16 = 0
  /// Bits 0 (Sunday) to 6.
  var weekdays: UInt8 = 0
  var marks: Marks = []

  /// The properties that the sets can't express.
  struct Marks: OptionSet, Hashable {
    let rawValue: UInt8

    /// The field begins with a star.
    static let minuteStar = Marks(rawValue: 1)
    static let hourStar = Marks(rawValue: 2)
    static let dayStar = Marks(rawValue: 4)
    static let weekdayStar = Marks(rawValue: 8)
    /// `LW`: the last day of the month from Monday to Friday.
    static let lastWorkday = Marks(rawValue: 16)
  }

  init() {}

  /// Reads an expression.
  ///
  /// - Throws: ``CronError`` with the field, the column, the found text and the allowed values. A
  ///   well-formed expression that never fires, such as `0 0 30 2 *`, is an error too.
  public init(_ text: String) throws(CronError) {
    var reader = CronReader(text)
    self = try reader.expression()
  }

  /// Whether the expression has fixed times of day: neither minute nor hour begins with a star.
  /// Only then does a change of the clock move the runs; see ``next(after:in:)``.
  public var isFixedTime: Bool { marks.isDisjoint(with: [.minuteStar, .hourStar]) }
}
