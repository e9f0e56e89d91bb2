/// The immutable storage that a document and its nodes share.
@usableFromInline final class JSONStorage {
  @usableFromInline let bytes: [UInt8]
  /// The records, which this object owns. The root's record is the first. Indexes in records are
  /// always valid.
  @usableFromInline let records: UnsafeBufferPointer<JSONRecord>
  @usableFromInline let limits: JSONLimits
  /// Whether the document was read from text. Otherwise, places in it mean nothing to a person.
  @usableFromInline let isWritten: Bool

  /// Takes over the memory of `records`.
  init(
    bytes: [UInt8], owning records: UnsafeBufferPointer<JSONRecord>, limits: JSONLimits,
    isWritten: Bool
  ) {
    self.bytes = bytes
    self.records = records
    self.limits = limits
    self.isWritten = isWritten
  }

  convenience init(bytes: [UInt8], records: [JSONRecord], limits: JSONLimits, isWritten: Bool) {
    let copy = UnsafeMutableBufferPointer<JSONRecord>.allocate(capacity: records.count)
    _ = copy.initialize(from: records)
    self.init(
      bytes: bytes, owning: UnsafeBufferPointer(copy), limits: limits, isWritten: isWritten)
  }

  deinit {
    records.deallocate()
  }
}

// Only the pointer prevents a derived conformance. Nothing writes through it, and it is freed with
// the last reference.
extension JSONStorage: @unchecked Sendable {}
