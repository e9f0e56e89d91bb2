import AgentJSON

/// A unit of time or size, as keys, descriptions and texts name it.
struct UnitHint: Hashable {
  enum Dimension: Hashable { case time, size, share }

  let dimension: Dimension
  /// In microseconds, bytes or percents.
  let factor: Int
  let name: String

  /// The unit that a word stands for.
  init?(word: String) {
    guard let unit = Self.words[word.lowercased()] else { return nil }
    self = unit
  }

  /// The unit of a number by its key (`timeout_ms`), or else by what its schema says about it.
  init?(key: String?, notes: [SchemaNotes]) {
    let words = key.map(NameWords.of) ?? []
    if let last = words.last, words.count > 1 || last.count > 3, let unit = Self(word: last) {
      self = unit
      return
    }
    let said = notes.lazy.flatMap { [$0.title, $0.description].compactMap(\.self) }
    guard let unit = said.compactMap(Self.named).first else { return nil }
    self = unit
  }

  /// The unit that a description measures in: `Seconds: …`, `how long, in seconds`, `(ms)`. Any
  /// other mention of one may be about something else.
  private static func named(in text: String) -> UnitHint? {
    var before: Substring?
    for piece in text.split(whereSeparator: \.isWhitespace) {
      defer { before = piece }
      let word = piece.filter { $0.isLetter || $0 == "%" }
      // Short ones are words of other meaning as well.
      guard word.count > 3 || word == "ms" || word == "%", let unit = UnitHint(word: word) else {
        continue
      }
      guard let before, !piece.hasPrefix("(") else { return unit }
      if before.hasSuffix(":") || measures.contains(before.lowercased()) { return unit }
    }
    return nil
  }

  private static let measures: Set = ["in", "of", "many", "unit"]

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

  /// The units in which a person may have written a number that was wanted in this one.
  var likelyOthers: [UnitHint] {
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
