/// A unit of time or size, as keys, descriptions and texts name it.
package struct UnitHint: Hashable {
  package enum Dimension: Hashable { case time, size, share }

  package let dimension: Dimension
  /// In microseconds, bytes or percents.
  package let factor: Int
  package let name: String

  /// The unit that a word stands for.
  package init?(word: String) {
    guard let unit = Self.words[word.lowercased()] else { return nil }
    self = unit
  }

  private init(_ dimension: Dimension, _ factor: Int, _ name: String) {
    self.dimension = dimension
    self.factor = factor
    self.name = name
  }

  /// How much `amount` of this unit is in another one; nil where that isn't a whole number.
  package func convert(_ amount: Int, to other: UnitHint) -> Int? {
    guard dimension == other.dimension else { return nil }
    let (product, overflow) = amount.multipliedReportingOverflow(by: factor)
    return overflow || !product.isMultiple(of: other.factor) ? nil : product / other.factor
  }

  /// The units in which a person may have written a number that was wanted in this one.
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
      (["us", "µs", "microsecond", "microseconds"], UnitHint(.time, 1, "microseconds")),
      (
        ["ms", "msec", "millis", "millisecond", "milliseconds"],
        UnitHint(.time, 1000, "milliseconds")
      ),
      (["s", "sec", "secs", "second", "seconds"], UnitHint(.time, 1_000_000, "seconds")),
      (["m", "min", "mins", "minute", "minutes"], UnitHint(.time, 60_000_000, "minutes")),
      (["h", "hr", "hrs", "hour", "hours"], UnitHint(.time, 3_600_000_000, "hours")),
      (["d", "day", "days"], UnitHint(.time, 86_400_000_000, "days")),
      (["b", "byte", "bytes"], UnitHint(.size, 1, "bytes")),
      (["kb", "kilobyte", "kilobytes"], UnitHint(.size, 1000, "kilobytes")),
      (["kib", "kibibyte", "kibibytes"], UnitHint(.size, 1024, "kibibytes")),
      (["mb", "megabyte", "megabytes"], UnitHint(.size, 1_000_000, "megabytes")),
      (["mib", "mebibyte", "mebibytes"], UnitHint(.size, 1 << 20, "mebibytes")),
      (["gb", "gigabyte", "gigabytes"], UnitHint(.size, 1_000_000_000, "gigabytes")),
      (["gib", "gibibyte", "gibibytes"], UnitHint(.size, 1 << 30, "gibibytes")),
      (["%", "percent"], UnitHint(.share, 1, "percent")),
    ]
    var words: [String: UnitHint] = [:]
    for (names, unit) in units {
      for name in names { words[name] = unit }
    }
    return words
  }()
}
