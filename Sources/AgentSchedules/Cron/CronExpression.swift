/// A cron expression of five or six fields, held as sets of bits.
///
/// docs/schedules.md says what it understands, and which other program it follows in what. A value
/// is smaller than 64 bytes and owns no memory, so that many can be held.
public struct CronExpression: Sendable, Hashable {
  /// Bits 0 to 59.
  var seconds: UInt64 = 1
  /// Bits 0 to 59.
  var minutes: UInt64 = 0
  /// Seven bits for each of the first to fifth weekday of a month, Sunday lowest, then seven for
  /// the last one.
  var nthWeekdays: UInt64 = 0
  /// Bits 0 to 23.
  var hours: UInt32 = 0
  /// Bits 1 to 31.
  var days: UInt32 = 0
  /// Bit n: n days before the month's last one.
  var daysFromEnd: UInt32 = 0
  /// Bit n: the weekday nearest to day n.
  var nearestWeekdays: UInt32 = 0
  /// Bits 1 to 12.
  var months: UInt16 = 0
  /// Bits 0 (Sunday) to 6.
  var weekdays: UInt8 = 0
  var marks: Marks = []

  /// What the sets don't say.
  struct Marks: OptionSet, Hashable {
    let rawValue: UInt8

    /// A field begins with a star, or is one.
    static let minuteStar = Marks(rawValue: 1)
    static let hourStar = Marks(rawValue: 2)
    static let dayStar = Marks(rawValue: 4)
    static let weekdayStar = Marks(rawValue: 8)
    /// `LW`: the month's last weekday, Monday to Friday.
    static let lastWorkday = Marks(rawValue: 16)
  }

  init() {}

  /// Reads an expression.
  ///
  /// - Throws: ``CronError`` with the field, the column, what was found and what may stand there;
  ///   also for an expression that is well formed and never fires, such as `0 0 30 2 *`.
  public init(_ text: String) throws(CronError) {
    var reader = CronReader(text)
    self = try reader.expression()
  }

  /// Whether it means fixed times of day: neither minute nor hour begins with a star. Only then
  /// does a clock that is put forward or back change when it runs; see ``next(after:in:)``.
  public var isFixedTime: Bool { marks.isDisjoint(with: [.minuteStar, .hourStar]) }
}
