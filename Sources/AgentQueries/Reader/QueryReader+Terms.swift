import AgentJSON

/// Parses terms of filters: a field, and a value, pattern, range or group that it is compared with.
extension QueryReader {
  /// Parses a term. Returns nil for a hint, which doesn't change the result.
  mutating func filterTerm(_ field: CurrentField) throws(QueryError) -> FilterPart? {
    let start = index
    if byte() == UInt8(ascii: "["), !field.isImplied {
      return FilterPart(tree: try filterRange(field))
    }
    let isQuoted = isAtQuote
    let word = isQuoted ? try quoted() : try filterWord()
    if let inner = try fieldSuffix(word, isQuoted: isQuoted, from: start) {
      if word.hasPrefix("."), !isQuoted { return try hint(word, from: start) }
      return try fieldValue(inner, from: start)
    }
    if let comparison = Self.signs[byte()], isAt(">") || isAt("<") {
      throw fail(.syntax, "\(comparison).")
    }
    let tree = try value(word, isQuoted: isQuoted, of: field, from: start)
    return FilterPart(tree: tree, namesType: field.isImplied && tree.kind != .everything)
  }

  private mutating func value(
    _ word: String, isQuoted: Bool, of field: CurrentField, from start: Int
  ) throws(QueryError) -> FilterTree {
    if byte() == UInt8(ascii: "~") { return try fuzzy(word, field, from: start) }
    if isQuoted, !field.isNumber {
      return try term(field.isExact ? .exact(word) : .equal(word), field, from: start)
    }
    if word == "*", !isQuoted {
      return field.isImplied
        ? try node(.everything, from: start) : try term(.exists, field, from: start)
    }
    let isPattern = !isQuoted && word.contains { $0 == "*" || $0 == "?" }
    if field.isNumber, JSONNumber(parsing: word) == nil {
      throw fail(.type, "a number or a range of numbers must follow #:.", at: range(from: start))
    }
    guard !isPattern || word.utf8.count <= 256 else {
      throw fail(.limit, "a term with wildcards has at most 256 bytes.", at: range(from: start))
    }
    if isPattern, field.isExact {
      throw unsupported("a wildcard after !:", at: range(from: start))
    }
    let match: FilterTerm.Match =
      isPattern ? .like(word) : field.isExact ? .exact(word) : .equal(word)
    return try term(match, field, from: start)
  }

  /// Returns the field `word` if `:`, `#:` or `!:` follows it.
  private mutating func fieldSuffix(
    _ word: String, isQuoted: Bool, from start: Int
  ) throws(QueryError) -> CurrentField? {
    var field = CurrentField(name: word, isImplied: false)
    let sign = byte()
    switch sign {
    case UInt8(ascii: ":"): index += 1
    case UInt8(ascii: "#") where byte(1) == UInt8(ascii: ":"):
      field.isNumber = true
      index += 2
    case UInt8(ascii: "!") where byte(1) == UInt8(ascii: ":"):
      field.isExact = true
      index += 2
    default: return nil
    }
    guard isQuoted || !word.contains("*") else {
      throw fail(
        .syntax, "a filter needs a field's name before the colon.", at: range(from: start))
    }
    return field
  }

  private mutating func fieldValue(
    _ field: CurrentField, from start: Int
  ) throws(QueryError) -> FilterPart {
    guard !isAtEnd, blankLength(at: index) == nil else {
      throw fail(.syntax, "a value is missing after \"\(field.name):\".")
    }
    try enter()
    guard let inner = try filterOperand(field) else {
      throw fail(.syntax, "a hint can't be a value.", at: range(from: start))
    }
    leave()
    return FilterPart(tree: FilterTree(inner.tree.kind, at: range(from: start)))
  }

  /// Parses a hint. `.flags:nocount` asks a server not to count, and `.flags:reversed` to show the
  /// newest first. Neither changes which events match.
  private mutating func hint(_ word: String, from start: Int) throws(QueryError) -> FilterPart? {
    let value = isAtQuote ? try quoted() : try filterWord()
    guard word == ".flags", ["nocount", "reversed"].contains(value) else {
      throw unsupported(
        "the hint \(word):\(value) (put a field with this name in quotes)",
        at: range(from: start))
    }
    return nil
  }

  private mutating func term(
    _ match: FilterTerm.Match, _ field: CurrentField, from start: Int
  ) throws(QueryError) -> FilterTree {
    try node(
      .term(FilterTerm(field: field.name, match: match, isNumber: field.isNumber)), from: start)
  }

  private mutating func fuzzy(
    _ word: String, _ field: CurrentField, from start: Int
  ) throws(QueryError) -> FilterTree {
    index += 1
    guard Self.isDigit(byte()) else {
      throw fail(.syntax, "the number of allowed edits must follow ~, as in \(word)~1.")
    }
    let edits = try integer("The number of edits")
    guard (0...3).contains(edits), !field.isExact, !field.isNumber else {
      throw unsupported(
        "a term with more than 3 edits, or on a field with ! or #",
        at: range(from: start))
    }
    guard word.unicodeScalars.count <= 64 else {
      throw fail(
        .limit, "a term with ~ has at most 64 characters.", at: range(from: start))
    }
    return try term(.near(word, edits: edits), field, from: start)
  }

  // MARK: Ranges

  private mutating func filterRange(_ field: CurrentField) throws(QueryError) -> FilterTree {
    let start = index
    index += 1
    let lower = try bound()
    skip()
    guard take(",") || take(keyword: "TO") else {
      throw fail(.syntax, "a range is written [lower TO upper], * being an open end; \(found).")
    }
    let upper = try bound()
    skip()
    guard take("]") else {
      throw fail(.syntax, "the range opened at \(text.place(at: start)) isn't closed; \(found).")
    }
    return try term(try match(lower, upper, from: start), field, from: start)
  }

  private enum Bound {
    case open
    case number(JSONNumber)
    case text(String)

    /// Returns both ends as numbers if one is a number and the other a number in quotes.
    static func alike(_ lower: Bound, _ upper: Bound) -> (Bound, Bound) {
      switch (lower, upper) {
      case (.number, .text(let text)):
        (lower, JSONNumber(parsing: text).map { .number($0) } ?? upper)
      case (.text(let text), .number):
        (JSONNumber(parsing: text).map { .number($0) } ?? lower, upper)
      default: (lower, upper)
      }
    }
  }

  private mutating func bound() throws(QueryError) -> Bound {
    skip()
    if isAtQuote {
      let word = try quoted().lowercased()
      // Elsewhere in a filter a negative number is in quotes, so quotes are allowed here too.
      if word.hasPrefix("-"), let number = JSONNumber(parsing: word) { return .number(number) }
      return .text(word)
    }
    let start = index
    _ = take("-")
    let word = try filterWord()
    if word == "*" { return .open }
    let whole = text.text(of: range(from: start))
    return JSONNumber(parsing: whole).map { .number($0) } ?? .text(whole.lowercased())
  }

  private func match(
    _ lower: Bound, _ upper: Bound, from start: Int
  ) throws(QueryError) -> FilterTerm.Match {
    switch Bound.alike(lower, upper) {
    case (.open, .open): .exists
    case (.open, .number(let upper)): .between(.numbers(nil, upper))
    case (.number(let lower), .open): .between(.numbers(lower, nil))
    case (.number(let lower), .number(let upper)): .between(.numbers(lower, upper))
    case (.open, .text(let upper)): .between(.texts(nil, upper))
    case (.text(let lower), .open): .between(.texts(lower, nil))
    case (.text(let lower), .text(let upper)): .between(.texts(lower, upper))
    case (.number, .text), (.text, .number):
      throw fail(
        .type, "a range goes from number to number or from text to text.", at: range(from: start))
    }
  }

  // MARK: Words

  /// The meanings of signs, for messages.
  private static let signs: [UInt8: String] = [
    UInt8(ascii: "["): "a range needs a field in front: field:[1 TO 2]",
    UInt8(ascii: "{"): "a range is written with square brackets, and its ends belong to it",
    UInt8(ascii: ">"): "a comparison is written as a range: field:[100 TO *]",
    UInt8(ascii: "<"): "a comparison is written as a range: field:[* TO 100]",
    UInt8(ascii: "!"): "negation is written with a hyphen: -field:value",
    UInt8(ascii: "@"): "pipes and macros follow an arrow: => @filter …",
    UInt8(ascii: "\\"): "put a value with signs in double quotes",
    UInt8(ascii: "$"): "put a value with signs in double quotes",
    UInt8(ascii: "#"): "put a value with signs in double quotes",
    UInt8(ascii: "}"): "put a value with signs in double quotes",
    UInt8(ascii: "~"): "a term is missing before ~",
    UInt8(ascii: ":"): "a name is missing before the colon",
  ]

  /// Parses a word of a filter: everything up to a blank or a sign.
  mutating func filterWord() throws(QueryError) -> String {
    let start = index
    while !isAtEnd, blankLength(at: index) == nil, !Self.endsWord(byte()) { index += 1 }
    guard index > start else {
      let why = isAtEnd ? nil : Self.signs[byte()]
      throw fail(.syntax, why.map { "\($0)." } ?? "a type or field:value is missing; \(found).")
    }
    if byte() == UInt8(ascii: "\"") || byte() == UInt8(ascii: "'") {
      throw fail(.syntax, "a word can't contain a quote; quote the whole value.")
    }
    return String(decoding: text.bytes[start..<index], as: UTF8.self)
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "|"), UInt8(ascii: "&"), UInt8(ascii: "("), UInt8(ascii: ")"),
      UInt8(ascii: "~"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "="),
      UInt8(ascii: "@"), UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "!"),
      UInt8(ascii: "#"), UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""),
      UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "$"), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
