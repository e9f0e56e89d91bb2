/// Writes JSON to one buffer piece by piece, without building values.
///
/// It adds commas, colons and layout. The caller opens and closes containers in the correct order,
/// and writes a key before each value of an object. Line feeds separate several values at the top
/// level (JSON lines).
public struct JSONWriter: Sendable {
  /// The last written item.
  private enum Position { case start, opening, key, value }

  /// The written text, in UTF-8.
  public private(set) var bytes: [UInt8] = []
  private var position = Position.start
  private var depth = 0
  private let isPretty: Bool

  /// - Parameter pretty: whether each member is on its own line, with two spaces for each level.
  ///   Otherwise, everything is on one line.
  public init(pretty: Bool = false) {
    isPretty = pretty
  }

  /// The written text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Opens an object: `key` and a value follow, any number of times, then `endObject`.
  public mutating func beginObject() {
    open(.openBrace)
  }

  /// Closes the object opened last.
  public mutating func endObject() {
    close(.closeBrace)
  }

  /// Opens an array: values follow, then `endArray`.
  public mutating func beginArray() {
    open(.openBracket)
  }

  /// Closes the array opened last.
  public mutating func endArray() {
    close(.closeBracket)
  }

  /// Writes the key of a member. Its value must follow.
  public mutating func key(_ key: String) {
    separate()
    bytes.appendJSONString(key)
    bytes.append(.colon)
    if isPretty { bytes.append(.space) }
    position = .key
  }

  /// Writes a string with the necessary escapes.
  public mutating func string(_ value: String) {
    separate()
    bytes.appendJSONString(value)
    position = .value
  }

  /// Writes a number.
  public mutating func number(_ value: JSONNumber) {
    write(value.text)
  }

  /// Writes an integer.
  public mutating func number(_ value: some BinaryInteger) {
    write(String(value))
  }

  /// Writes a number. Infinities and NaN, which JSON can't express, become null, as in JavaScript.
  public mutating func number(_ value: Double) {
    write(value.isFinite ? value.description : "null")
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    write(value ? "true" : "false")
  }

  /// Writes `null`.
  public mutating func null() {
    write("null")
  }

  /// Writes a value with all its contents.
  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let bool): self.bool(bool)
    case .number(let number): self.number(number)
    case .string(let string): self.string(string)
    case .array(let values):
      beginArray()
      for value in values { self.value(value) }
      endArray()
    case .object(let members):
      beginObject()
      for (key, value) in members {
        self.key(key)
        self.value(value)
      }
      endObject()
    }
  }

  /// Writes a node's text as it is in its document.
  public mutating func value(_ node: JSONNode) {
    raw(node.bytes)
  }

  /// Writes text that is already one JSON value. It isn't checked.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    position = .value
  }

  /// Clears the text and keeps the memory for the next one.
  public mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    position = .start
    depth = 0
  }

  /// Whether a compact writer would write a separator before the next value or key.
  var willSeparate: Bool { position == .value }

  private mutating func write(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    position = .value
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    depth += 1
    position = .opening
  }

  private mutating func close(_ bracket: UInt8) {
    depth = max(depth - 1, 0)
    if position != .opening { breakLine() }
    bytes.append(bracket)
    position = .value
  }

  private mutating func separate() {
    switch position {
    case .start, .key: return
    case .opening: breakLine()
    case .value where depth == 0: bytes.append(.lineFeed)
    case .value:
      bytes.append(.comma)
      breakLine()
    }
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(.lineFeed)
    bytes.append(contentsOf: repeatElement(.space, count: 2 * depth))
  }
}
