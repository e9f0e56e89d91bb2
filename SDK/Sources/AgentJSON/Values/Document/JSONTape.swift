/// Borrowed access to the bytes and records of a document, for code that reads millions of values a
/// second, such as a validator. All other code uses ``JSONNode``.
///
/// Rationale: pointers replace spans, because a reader stores them in its own state beside other
/// borrowed memory. They are only valid during the call that provides them
/// (``JSONNode/withTape(_:)``). The caller must respect the bounds: `index + 1 ..<
/// records[index].next` are the contents of a container. In an object, the value follows its key.
@frozen public struct JSONTape {
  /// The text, as UTF-8.
  public let bytes: UnsafeBufferPointer<UInt8>
  /// The records of the whole document, in its order.
  public let records: UnsafeBufferPointer<JSONRecord>
  /// The record of the value for which the tape was requested.
  public let index: Int
  /// The largest possible depth of containers: the parser's limit, or `Int.max` for a document that
  /// was built from a value.
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
  /// Calls `body` with the document's bytes and records. `body` must not keep them.
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
  /// Returns the value or the key of record `index` of the document's ``JSONTape``, or `nil` beyond
  /// the last one.
  public func node(ofRecord index: Int) -> JSONNode? {
    storage.records.indices.contains(index) ? JSONNode(storage: storage, index: index) : nil
  }
}
