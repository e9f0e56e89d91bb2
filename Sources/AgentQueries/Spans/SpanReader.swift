/// Why a text isn't a span.
public struct SpanError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence with the mistake and the possible texts.
  public let message: String
  /// The offset of the first wrong byte.
  public let offset: Int
  public var description: String { "span:\(offset + 1): \(message)" }
}

extension QuerySpan {
  /// Parses a span.
  ///
  /// - `none`, `now`: from now on
  /// - `today`, `yesterday`, `this week`, `current month`, `previous hour`
  /// - `last minute`, `last 60 seconds`, `60 seconds`
  /// - `since POINT`, `from POINT to POINT`, `POINT until POINT`, where a point is `now`, `today`,
  ///   `yesterday`, `2 hours ago`, `ts 1700000000000`, `2026-01-31`, `2026-01-31 12:30:00` or, with
  ///   `Z` or an offset, `2026-01-31T12:30:00.250Z`
  public init(parsing text: String) throws(SpanError) {
    var reader = SpanReader(text)
    self = try reader.span()
  }
}

/// Parses a span word by word.
struct SpanReader {
  private struct Word {
    let text: String
    let offset: Int
  }

  private static let forms =
    "A span is written like: last 60 seconds, today, since 2026-01-31, "
    + "from 2026-01-31 12:00 to now, or none."

  private let text: String
  private var words: [Word] = []
  private var hints: [String] = []
  private var next = 0

  init(_ text: String) {
    self.text = text
    var offset = 0
    for piece in text.split(separator: " ", omittingEmptySubsequences: false) {
      let word = String(piece)
      if word.hasPrefix("#") {
        hints.append(word)
      } else if !word.isEmpty {
        words.append(Word(text: word, offset: offset))
      }
      offset += piece.utf8.count + 1
    }
  }

  private var word: String? { next < words.count ? words[next].text.lowercased() : nil }

  private mutating func skip(_ expected: String...) -> Bool {
    guard let word, expected.contains(word) else { return false }
    next += 1
    return true
  }

  private func failure(_ message: String) -> SpanError {
    SpanError(message: message, offset: next < words.count ? words[next].offset : text.utf8.count)
  }

  mutating func span() throws(SpanError) -> QuerySpan {
    let (begin, end) = try edges()
    guard next == words.count else {
      throw failure("Unexpected “\(words[next].text)” after the span. \(Self.forms)")
    }
    return QuerySpan(begin: begin, end: end, text: text, hints: hints)
  }

  private mutating func edges() throws(SpanError) -> (QuerySpan.Edge?, QuerySpan.Edge?) {
    guard word != nil else { throw failure("The span is empty. \(Self.forms)") }
    if words.count == 1, skip("none", "now") { return (nil, nil) }
    if skip("since") { return (try point(), nil) }
    if skip("last") { return (.ago(try period()), nil) }
    if let whole = try wholeUnit() { return whole }
    let hasFrom = skip("from")
    if let period = try bare(hasFrom) { return (.ago(period), nil) }
    let begin = try point()
    guard skip("to", "until") else {
      throw failure("Expected “to” and the end of the span. \(Self.forms)")
    }
    return (begin, try point())
  }

  /// Parses `today`, `yesterday`, `this week` or `previous month`, if nothing follows.
  private mutating func wholeUnit() throws(SpanError) -> (QuerySpan.Edge?, QuerySpan.Edge?)? {
    if words.count == next + 1, skip("today") { return (.unit(.day, back: 0), nil) }
    if words.count == next + 1, skip("yesterday") {
      return (.unit(.day, back: 1), .unit(.day, back: 0))
    }
    if skip("this", "current") { return (.unit(try unit(), back: 0), nil) }
    if skip("previous") {
      let unit = try unit()
      return (.unit(unit, back: 1), .unit(unit, back: 0))
    }
    return nil
  }

  /// Parses `60 seconds` alone.
  private mutating func bare(_ hasFrom: Bool) throws(SpanError) -> QueryPeriod? {
    guard !hasFrom, words.count == next + 2, word.flatMap({ Int($0) }) != nil else { return nil }
    return try period()
  }

  private mutating func unit() throws(SpanError) -> QueryPeriod.Unit {
    guard let word, let unit = QueryPeriod.Unit(word: word) else {
      throw failure("Expected a unit: second, minute, hour, day, week, month or year.")
    }
    next += 1
    return unit
  }

  private mutating func period() throws(SpanError) -> QueryPeriod {
    let amount = word.flatMap { Int($0) }
    if amount != nil { next += 1 }
    let place = next
    guard let period = QueryPeriod(amount ?? 1, try unit()) else {
      next = place
      throw failure("The length has to be between 1 millisecond and 1,000 years.")
    }
    return period
  }

  private mutating func point() throws(SpanError) -> QuerySpan.Edge {
    if skip("now") { return .now }
    if skip("today") { return .unit(.day, back: 0) }
    if skip("yesterday") { return .unit(.day, back: 1) }
    if skip("ts", "timestamp") { return .moment(try number()) }
    guard let word else { throw failure("Expected a point in time. \(Self.forms)") }
    if Int(word) != nil, next + 2 < words.count, words[next + 2].text.lowercased() == "ago" {
      let period = try period()
      next += 1
      return .ago(period)
    }
    return try date()
  }

  private mutating func number() throws(SpanError) -> Int64 {
    guard let word, let number = Int64(word) else {
      throw failure("Expected a number of Unix milliseconds.")
    }
    next += 1
    return number
  }

  /// Parses a date, with a time of day in the same word or the next one.
  private mutating func date() throws(SpanError) -> QuerySpan.Edge {
    let word = words[next].text
    if next + 1 < words.count, let edge = Self.edge("\(word) \(words[next + 1].text)") {
      next += 2
      return edge
    }
    guard let edge = Self.edge(word) else {
      throw failure("“\(word)” isn't a point in time. \(Self.forms)")
    }
    next += 1
    return edge
  }

  /// Returns a moment if the text has an offset from UTC, otherwise a local time.
  private static func edge(_ text: String) -> QuerySpan.Edge? {
    let text = text.uppercased()
    guard let moment = CivilTime.moment(of: text) else { return nil }
    let time = text.utf8.dropFirst("2026-01-31".utf8.count)
    let hasOffset = time.contains {
      [UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-")].contains($0)
    }
    return hasOffset ? .moment(moment) : .local(moment)
  }
}
