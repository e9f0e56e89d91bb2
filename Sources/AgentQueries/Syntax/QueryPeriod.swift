/// A length of time such as `5 minutes` or `1 month`.
public struct QueryPeriod: Sendable, Hashable, CustomStringConvertible {
  /// A unit of time.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    case millisecond
    case second
    case minute
    case hour
    case day
    case week
    case month
    case year
  }

  /// The number of units, at least 1.
  public let amount: Int
  public let unit: Unit

  /// Makes `amount` times `unit`. Nil means that the length isn't between 1 ms and 1,000 years.
  public init?(_ amount: Int, _ unit: Unit) {
    let longest = 1_000 * 366 * 86_400_000
    guard amount >= 1, amount <= longest / unit.leastMilliseconds else { return nil }
    self.amount = amount
    self.unit = unit
  }

  /// The length in milliseconds, with days of 24 hours. Nil for months and years, because their
  /// lengths differ.
  public var milliseconds: Int? {
    switch unit {
    case .month, .year: nil
    default: amount * unit.leastMilliseconds
    }
  }

  /// The written form, such as `5 minutes`.
  public var description: String { "\(amount) \(unit.rawValue)\(amount == 1 ? "" : "s")" }
}

extension QueryPeriod.Unit {
  var leastMilliseconds: Int {
    switch self {
    case .millisecond: 1
    case .second: 1_000
    case .minute: 60_000
    case .hour: 3_600_000
    case .day: 86_400_000
    case .week: 7 * 86_400_000
    case .month: 28 * 86_400_000
    case .year: 365 * 86_400_000
    }
  }

  /// Reads the name of a unit: singular, plural or short. Nil means that the word isn't one.
  init?(word: String) {
    let lowered = word.lowercased()
    switch lowered {
    case "ms", "milli", "millis": self = .millisecond
    case "s", "sec", "secs": self = .second
    case "min", "mins": self = .minute
    case "h", "hr", "hrs": self = .hour
    case "d": self = .day
    case "w": self = .week
    default:
      let singular = lowered.hasSuffix("s") ? String(lowered.dropLast()) : lowered
      guard let unit = Self(rawValue: singular) else { return nil }
      self = unit
    }
  }
}
