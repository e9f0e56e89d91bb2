/// Parses a query. This file has the position in the text, blanks and comments, and the limits.
///
/// The extensions parse filters, pipes, windows, expressions, macros and names.
struct QueryReader {
  let text: QueryText
  let limits: QueryLimits
  var index = 0
  /// The definitions before the query, by name.
  var macros: [String: QueryMacro] = [:]
  /// The arguments of the expanded macro, by parameter.
  var bindings: [String: ExpressionTree] = [:]

  private var depth = 0
  private var nodes = 0

  /// The maximum depth of an expression, even without brackets.
  static let maxHeight = 256

  init(_ text: QueryText, limits: QueryLimits) throws(QueryError) {
    self.text = text
    self.limits = limits
    guard text.bytes.count <= limits.length else {
      throw fail(
        .limit, "the query has \(text.bytes.count) bytes; it may have \(limits.length).",
        at: QueryRange(start: limits.length, end: text.bytes.count))
    }
  }

  /// Enters one level of nesting. The caller calls `leave` afterwards, except after an error.
  mutating func enter() throws(QueryError) {
    depth += 1
    guard depth <= limits.depth else {
      throw fail(.limit, "the query is nested more than \(limits.depth) levels deep here.")
    }
  }

  mutating func leave() { depth -= 1 }

  /// Counts a node of the tree.
  mutating func count(at range: QueryRange) throws(QueryError) {
    nodes += 1
    guard nodes <= limits.nodes else { throw tooLarge(at: range) }
  }

  func tooLarge(at range: QueryRange) -> QueryError {
    fail(.limit, "the query has more than \(limits.nodes) parts, its macros expanded.", at: range)
  }

  // MARK: Bytes

  var isAtEnd: Bool { index >= text.bytes.count }

  /// Returns the byte `ahead` of the position, or 0 after the end.
  func byte(_ ahead: Int = 0) -> UInt8 {
    let position = index + ahead
    return position < text.bytes.count ? text.bytes[position] : 0
  }

  func isAt(_ sign: StaticString) -> Bool {
    for position in 0..<sign.utf8CodeUnitCount
    where byte(position) != sign.utf8Start[position] { return false }
    return true
  }

  mutating func take(_ sign: StaticString) -> Bool {
    guard isAt(sign) else { return false }
    index += sign.utf8CodeUnitCount
    return true
  }

  /// Skips blanks and comments. A comment runs from `--` to the end of the line.
  mutating func skip() {
    while !isAtEnd {
      if let length = blankLength(at: index) {
        index += length
      } else if isAt("--") {
        while !isAtEnd, byte() != UInt8(ascii: "\n") { index += 1 }
      } else {
        return
      }
    }
  }

  /// Returns the length of the blank character at an offset. Nil means that there is none.
  func blankLength(at offset: Int) -> Int? {
    let byte = text.bytes[offset]
    if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) ? 1 : nil }
    guard byte >= 0xC2 else { return nil }
    let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    let end = min(offset + length, text.bytes.count)
    let scalar = String(decoding: text.bytes[offset..<end], as: UTF8.self).unicodeScalars.first
    return scalar?.properties.isWhitespace == true ? end - offset : nil
  }

  // MARK: Ranges and errors

  func range(from start: Int) -> QueryRange { QueryRange(start: start, end: index) }

  func fail(_ code: QueryError.Code, _ message: String, at range: QueryRange? = nil) -> QueryError {
    QueryError(
      code, message, at: range ?? QueryRange(start: index, end: index + 1), in: text)
  }

  func unsupported(_ what: String, at range: QueryRange? = nil) -> QueryError {
    fail(.unsupported, "\(what) isn't supported yet.", at: range)
  }

  /// The text at the position for an error: `"=>"`, or the end of the query.
  var found: String {
    guard !isAtEnd else { return "the query ends" }
    for sign in ["=>", "->", "&&", "||", "|>", "==", "!=", "<=", ">=", "??", "@@"]
    where text.bytes[index...].starts(with: sign.utf8) { return "found \"\(sign)\"" }
    let rest = String(
      decoding: text.bytes[index..<min(index + 64, text.bytes.count)], as: UTF8.self)
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return "found \"\(word.isEmpty ? String(rest.prefix(1)) : String(word))\""
  }
}
