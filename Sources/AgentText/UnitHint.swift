/// A unit of time or size in keys, descriptions and texts.
package struct UnitHint: Hashable {
  package enum Dimension: Hashable { case time, size, share }

  package let dimension: Dimension
  /// The size of the unit in microseconds, bytes or percents.
  package let factor: Int
  package let name: String

  /// Creates the unit that a word names.
  package init?(word: String) {
    guard let unit = Self.words[word.lowercased()] else { return nil }
    self = unit
  }

  private init(dimension: Dimension, factor: Int, name: String) {
    self.dimension = dimension
    self.factor = factor
    self.name = name
  }

  /// Returns `amount` of this unit in another one, or nil if the result isn't a whole number.
  package func convert(_ amount: Int, to other: UnitHint) -> Int? {
    guard dimension == other.dimension else { return nil }
    let (product, overflow) = amount.multipliedReportingOverflow(by: factor)
    return overflow || !product.isMultiple(of: other.factor) ? nil : product / other.factor
  }

  /// The units in which a person may have written a number that should be in this one.
  package var likelyOthers: [UnitHint] {
    let words =
      switch dimension {
      case .time: ["ms", "s", "min", "h"]
      case .size: ["bytes", "kib", "mib", "gib"]
      case .share: [String]()
      }
    return words.compactMap(Self.init(word:)).filter { $0 != self }
  }

  private static let words: [String: UnitHint] = {
    let units: [([String], UnitHint)] = [
      (
        ["us", "µs", "microsecond", "microseconds"],
        UnitHint(dimension: .time, factor: 1, name: "microseconds")
      ),
      (
        ["ms", "msec", "millis", "millisecond", "milliseconds"],
        UnitHint(dimension: .time, factor: 1000, name: "milliseconds")
      ),
      (
        ["s", "sec", "secs", "second", "seconds"],
        UnitHint(dimension: .time, factor: 1_000_000, name: "seconds")
      ),
      (
        ["m", "min", "mins", "minute", "minutes"],
        UnitHint(dimension: .time, factor: 60_000_000, name: "minutes")
      ),
      (
        ["h", "hr", "hrs", "hour", "hours"],
        UnitHint(dimension: .time, factor: 3_600_000_000, name: "hours")
      ),
      (["d", "day", "days"], UnitHint(dimension: .time, factor: 86_400_000_000, name: "days")),
      (["b", "byte", "bytes"], UnitHint(dimension: .size, factor: 1, name: "bytes")),
      (
        ["kb", "kilobyte", "kilobytes"], UnitHint(dimension: .size, factor: 1000, name: "kilobytes")
      ),
      (
        ["kib", "kibibyte", "kibibytes"],
        UnitHint(dimension: .size, factor: 1024, name: "kibibytes")
      ),
      (
        ["mb", "megabyte", "megabytes"],
        UnitHint(dimension: .size, factor: 1_000_000, name: "megabytes")
      ),
      (
        ["mib", "mebibyte", "mebibytes"],
        UnitHint(dimension: .size, factor: 1 << 20, name: "mebibytes")
      ),
      (
        ["gb", "gigabyte", "gigabytes"],
        UnitHint(dimension: .size, factor: 1_000_000_000, name: "gigabytes")
      ),
      (
        ["gib", "gibibyte", "gibibytes"],
        UnitHint(dimension: .size, factor: 1 << 30, name: "gibibytes")
      ),
      (["%", "percent"], UnitHint(dimension: .share, factor: 1, name: "percent")),
    ]
    var words: [String: UnitHint] = [:]
    for (names, unit) in units {
      for name in names { words[name] = unit }
    }
    return words
  }()
}
