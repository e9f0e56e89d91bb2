/// A JSON text and where everything in it is: a flat list of nodes over the bytes, 16 bytes a
/// node. Strings and numbers are decoded when asked for.
public struct JSONDocument: Sendable {
  let storage: JSONStorage

  init(storage: JSONStorage) {
    self.storage = storage
  }

  /// Reads UTF-8 text by the letter of RFC 8259; duplicate keys are errors too.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONParseError) {
    if let records = JSONFastParser.records(bytes, limits) {
      storage = JSONStorage(bytes: bytes, owning: records, limits: limits, isWritten: true)
    } else {
      let records = try JSONParser.records(bytes, limits)
      storage = JSONStorage(bytes: bytes, records: records, limits: limits, isWritten: true)
    }
  }

  /// Reads text by the letter of RFC 8259; duplicate keys are errors too.
  public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// The document that `value` makes, on one line.
  public init(_ value: JSONValue) {
    var builder = JSONDocumentBuilder()
    builder.add(value)
    storage = JSONStorage(
      bytes: builder.bytes, records: builder.records, limits: JSONLimits(), isWritten: false)
  }

  /// The text, as UTF-8.
  public var bytes: [UInt8] { storage.bytes }

  /// The text.
  public var text: String { String(decoding: storage.bytes, as: UTF8.self) }

  /// The value that the text writes.
  public var root: JSONNode { JSONNode(storage: storage, index: 0) }

  /// Line and column of a byte offset. Counts from the start: for messages, not for loops over
  /// large documents.
  public func place(at offset: Int) -> JSONPlace {
    storage.place(at: offset)
  }

  /// What `pointer` points to, or nil.
  public func node(at pointer: JSONPointer) -> JSONNode? {
    root.node(at: pointer)
  }
}
