import AgentJSON

/// A unit of time or size, as keys and texts name it.
struct UnitHint: Equatable {
  enum Dimension: Equatable { case time, size, share }

  let dimension: Dimension
  /// In milliseconds or bytes.
  let factor: Int
  let name: String

  /// The unit that a word stands for.
  init?(word: String) {
    guard let unit = Self.words[word.lowercased()] else { return nil }
    self = unit
  }

  /// The unit of a number by its key (`timeout_ms`), or else by what its schema says about it.
  init?(key: String?, notes: SchemaNotes) {
    if let last = key?.split(separator: "_").last, key?.contains("_") == true,
      let unit = Self(word: String(last))
    {
      self = unit
      return
    }
    let text = "\(notes.title ?? "") \(notes.description ?? "")"
    let words = text.split { !$0.isLetter }.filter { $0.count > 3 }
    guard let unit = words.lazy.compactMap({ Self(word: String($0)) }).first else { return nil }
    self = unit
  }

  private init(_ dimension: Dimension, _ factor: Int, _ name: String) {
    self.dimension = dimension
    self.factor = factor
    self.name = name
  }

  /// How much `amount` of this unit is in another one; nil where that isn't a whole number.
  func convert(_ amount: Int, to other: UnitHint) -> Int? {
    guard dimension == other.dimension else { return nil }
    let (product, overflow) = amount.multipliedReportingOverflow(by: factor)
    return overflow || !product.isMultiple(of: other.factor) ? nil : product / other.factor
  }

  /// The amount and the unit of a text such as `60s`, `5 min` or `10MB`.
  static func amount(in text: String) -> (amount: String, unit: UnitHint)? {
    let digits = text.utf8.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
    guard !digits.isEmpty, let amount = String(digits) else { return nil }
    let word = text.utf8[digits.endIndex...].drop { $0 == UInt8(ascii: " ") }
    guard JSONNumber(parsing: amount) != nil, let name = String(word),
      let unit = UnitHint(word: name)
    else { return nil }
    return (amount, unit)
  }

  private static let words: [String: UnitHint] = {
    let units: [([String], UnitHint)] = [
      (["ms", "msec", "millisecond", "milliseconds"], UnitHint(.time, 1, "milliseconds")),
      (["s", "sec", "secs", "second", "seconds"], UnitHint(.time, 1000, "seconds")),
      (["m", "min", "mins", "minute", "minutes"], UnitHint(.time, 60_000, "minutes")),
      (["h", "hour", "hours"], UnitHint(.time, 3_600_000, "hours")),
      (["d", "day", "days"], UnitHint(.time, 86_400_000, "days")),
      (["b", "byte", "bytes"], UnitHint(.size, 1, "bytes")),
      (["kb", "kilobytes"], UnitHint(.size, 1000, "kilobytes")),
      (["kib", "kibibytes"], UnitHint(.size, 1024, "kibibytes")),
      (["mb", "megabytes"], UnitHint(.size, 1_000_000, "megabytes")),
      (["mib", "mebibytes"], UnitHint(.size, 1 << 20, "mebibytes")),
      (["gb", "gigabytes"], UnitHint(.size, 1_000_000_000, "gigabytes")),
      (["gib", "gibibytes"], UnitHint(.size, 1 << 30, "gibibytes")),
      (["%", "percent"], UnitHint(.share, 1, "percent")),
    ]
    var words: [String: UnitHint] = [:]
    for (names, unit) in units {
      for name in names { words[name] = unit }
    }
    return words
  }()
}
