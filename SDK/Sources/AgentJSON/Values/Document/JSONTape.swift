/// The bytes and records of a document, borrowed. For code that reads millions of values a second,
/// such as a validator. All other code uses ``JSONNode``.
///
/// Rationale: pointers instead of spans, since a reader keeps them in its own state next to other
/// borrowed memory. They are valid only during the call that lends them
/// (``JSONNode/withTape(_:)``). The caller must stay within the bounds: `index + 1 ..<
/// records[index].next` are the contents of a container; in an object each key is followed by its
/// value.
@frozen public struct JSONTape {
  /// The text, as UTF-8.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// The records of the whole document, in its order.
  public let records: UnsafeBufferPointer<JSONRecord>
  /// The record of the value that was asked for.
  public let index: Int
  /// No more containers than this are inside one another: the parser's limit, or `Int.max` for a
  /// document that was built from a value.
  public let depthLimit: Int

  /// A view of borrowed memory.
  @inlinable init(
    bytes: UnsafeBufferPointer<UInt8>, records: UnsafeBufferPointer<JSONRecord>, index: Int,
    depthLimit: Int
  ) {
    self.bytes = bytes
    self.records = records
    self.index = index
    self.depthLimit = depthLimit
  }
}

extension JSONNode {
  /// Lends the document's bytes and records to `body`, which must not keep them.
  @inlinable public func withTape<Result>(_ body: (JSONTape) -> Result) -> Result {
    storage.bytes.withUnsafeBufferPointer { bytes in
      // The storage owns the records and frees them with itself.
      withExtendedLifetime(storage) {
        body(
          JSONTape(
            bytes: bytes, records: storage.records, index: index,
            depthLimit: storage.isWritten ? storage.limits.maxDepth : .max))
      }
    }
  }
}

extension JSONDocument {
  /// The value, or the key, of record `index` of the document's ``JSONTape``; nil beyond the last.
  public func node(ofRecord index: Int) -> JSONNode? {
    storage.records.indices.contains(index) ? JSONNode(storage: storage, index: index) : nil
  }
}
