/// A field of a cron expression.
public enum CronField: String, Sendable, Hashable, CaseIterable {
  /// 0 to 59; only in expressions of six fields.
  case second
  /// 0 to 59.
  case minute
  /// 0 to 23.
  case hour
  /// 1 to 31, `L`, `L-3`, `15W`, `LW`.
  case dayOfMonth = "day of month"
  /// 1 to 12, or JAN to DEC.
  case month
  /// 0 to 7, where 0 and 7 are Sunday, or SUN to SAT; `5L`, `MON#2`.
  case dayOfWeek = "day of week"

  /// The numbers of the field. Day of week also accepts 7 for Sunday.
  var range: ClosedRange<Int> {
    switch self {
    case .second, .minute: 0...59
    case .hour: 0...23
    case .dayOfMonth: 1...31
    case .month: 1...12
    case .dayOfWeek: 0...6
    }
  }

  /// The largest accepted number.
  var largest: Int { self == .dayOfWeek ? 7 : range.upperBound }

  /// The names of the numbers, from the lowest.
  var names: [String] {
    switch self {
    case .month:
      ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    case .dayOfWeek: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
    default: []
    }
  }

  /// The accepted values, for messages.
  var allowed: String {
    switch self {
    case .second, .minute: "0 to 59, *, ranges such as 10-20, lists, steps such as */5"
    case .hour: "0 to 23, *, ranges such as 9-17, lists, steps such as */2"
    case .dayOfMonth: "1 to 31, *, ?, ranges, lists, steps, L, L-3, 15W, LW"
    case .month: "1 to 12, JAN to DEC, *, ranges, lists, steps"
    case .dayOfWeek:
      "0 to 7 (0 and 7 are Sunday), SUN to SAT, *, ?, ranges, lists, steps, 5L, MON#2"
    }
  }
}
