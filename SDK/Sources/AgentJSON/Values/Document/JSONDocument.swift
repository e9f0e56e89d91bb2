/// A JSON text and a flat list of its nodes, with 16 bytes for each node. Strings and numbers are
/// decoded at each access.
public struct JSONDocument: Sendable {
  let storage: JSONStorage

  init(storage: JSONStorage) {
    self.storage = storage
  }

  /// Parses UTF-8 text strictly according to RFC 8259. Duplicate keys are errors too.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONParseError) {
    if let records = JSONFastParser.records(bytes, limits) {
      storage = JSONStorage(bytes: bytes, owning: records, limits: limits, isWritten: true)
    } else {
      let records = try JSONParser.records(bytes, limits)
      storage = JSONStorage(bytes: bytes, records: records, limits: limits, isWritten: true)
    }
  }

  /// Parses text strictly according to RFC 8259. Duplicate keys are errors too.
  public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONParseError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// Creates a document from `value`, on one line.
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

  /// The document's value.
  public var root: JSONNode { JSONNode(storage: storage, index: 0) }

  /// Returns the line and column of a byte offset. It counts from the start each time, so it suits
  /// messages and not loops over large documents.
  public func place(at offset: Int) -> JSONPlace {
    storage.place(at: offset)
  }

  /// Returns the node at `pointer`, or `nil` if there is none.
  public func node(at pointer: JSONPointer) -> JSONNode? {
    root.node(at: pointer)
  }
}
