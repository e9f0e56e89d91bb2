import AgentKit

/// A line of comma-separated values, by the rules of RFC 4180; only that a value can't hold a line
/// break.
struct TableRow {
  /// A value; one in quotes is text whatever it looks like.
  struct Value: Hashable {
    var text: String
    var isQuoted: Bool
  }

  private(set) var values: [Value] = []

  /// - Throws: a sentence about what is wrong, with the column.
  init(_ line: [UInt8]) throws(TableRowError) {
    var rest = line[...]
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    repeat {
      values.append(try Self.value(&rest, of: line))
    } while Self.takesComma(&rest)
  }

  /// The row as an object: numbers, true and false as such, the rest as text; what is empty is left
  /// out.
  func object(columns: [String]) throws(TableRowError) -> JSONObject {
    guard values.count == columns.count else {
      throw TableRowError(
        message: "expected \(columns.count) values as in the first line, found \(values.count).")
    }
    var object = JSONObject()
    for (column, value) in zip(columns, values) {
      if let json = Self.json(value) { object[column] = json }
    }
    return object
  }

  private static func json(_ value: Value) -> JSONValue? {
    if value.isQuoted { return .string(value.text) }
    if value.text.isEmpty { return nil }
    switch try? JSONValue(parsing: value.text) {
    case .number(let number): return .number(number)
    case .bool(let bool): return .bool(bool)
    default: return .string(value.text)
    }
  }

  private static func value(
    _ rest: inout ArraySlice<UInt8>, of line: [UInt8]
  ) throws(TableRowError) -> Value {
    guard rest.first == UInt8(ascii: "\"") else {
      let end = rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
      defer { rest = rest[end...] }
      return Value(text: String(decoding: rest[..<end], as: UTF8.self), isQuoted: false)
    }
    let start = rest.startIndex
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "\"") {
        bytes.append(byte)
      } else if rest.first == UInt8(ascii: "\"") {
        bytes.append(byte)
        rest.removeFirst()
      } else if rest.isEmpty || rest.first == UInt8(ascii: ",") {
        return Value(text: String(decoding: bytes, as: UTF8.self), isQuoted: true)
      } else {
        throw TableRowError(
          message: "after the closing quote comes a comma. A quote within is written twice.",
          column: rest.startIndex + 1)
      }
    }
    throw TableRowError(
      message: "the quote isn't closed on this line; a value can't hold a line break.",
      column: start + 1)
  }

  private static func takesComma(_ rest: inout ArraySlice<UInt8>) -> Bool {
    rest.popFirst() != nil
  }
}

/// What is wrong with a line of values.
struct TableRowError: Error {
  var message: String
  /// The byte of the line, from 1, where that is known.
  var column: Int?
}
