/// What documents and nodes share. Nothing in it changes.
@usableFromInline final class JSONStorage {
  @usableFromInline let bytes: [UInt8]
  /// Owned. The root's record is the first; what records say of other records is always right.
  @usableFromInline let records: UnsafeBufferPointer<JSONRecord>
  @usableFromInline let limits: JSONLimits
  /// Whether a person wrote the bytes, so that places in them mean something.
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

// The pointer is what hides it from the compiler: nobody writes through it, and it is given back
// with the last reference.
extension JSONStorage: @unchecked Sendable {}
