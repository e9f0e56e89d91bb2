/// Writes JSON piece by piece into one buffer, without building values.
///
/// It sets commas, colons and layout; the caller opens and closes containers in the right order
/// and writes a key before each value of an object. Several values at the top level are separated
/// by line feeds (JSON lines).
public struct JSONWriter: Sendable {
  /// What was written last.
  private enum Position { case start, opening, key, value }

  /// What has been written, as UTF-8.
  public private(set) var bytes: [UInt8] = []
  private var position = Position.start
  private var depth = 0
  private let isPretty: Bool

  /// A writer that puts everything on one line or, `pretty`, each member on a line of its own,
  /// indented by two spaces a level.
  public init(pretty: Bool = false) {
    isPretty = pretty
  }

  /// What has been written.
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

  /// Writes the key of a member; its value must follow.
  public mutating func key(_ key: String) {
    separate()
    bytes.appendJSONString(key)
    bytes.append(.colon)
    if isPretty { bytes.append(.space) }
    position = .key
  }

  /// Writes a string, escaping what must be.
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

  /// Writes a number; null, as in JavaScript, for infinities and NaN, which JSON can't write.
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

  /// Writes a value with all it contains.
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

  /// Writes a node's text as it stands in its document.
  public mutating func value(_ node: JSONNode) {
    raw(node.bytes)
  }

  /// Writes text that is one JSON value already; it isn't checked.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    position = .value
  }

  /// Forgets what was written and keeps the memory for what is written next.
  public mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
    position = .start
    depth = 0
  }

  /// Whether a compact writer would set a separator before a value or key written now.
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
