/// A fast hash of a key's bytes, stored in the key's record. Keys with different hashes are
/// different.
///
/// It has no seed, so anyone can choose keys with equal hashes. Code that compares hashes must stay
/// fast even if many are equal.
@frozen public struct JSONKeyHash {
  // An odd constant with about as many ones as zeros.
  @usableFromInline var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  @inlinable init() {}

  /// Returns the hash of an unescaped key.
  @inlinable public static func of(_ key: UnsafeRawBufferPointer) -> UInt32 {
    var hash = JSONKeyHash()
    var rest = key
    while rest.count >= 8 {
      hash.add(UInt64(littleEndian: rest.loadUnaligned(as: UInt64.self)))
      rest = UnsafeRawBufferPointer(rebasing: rest[8...])
    }
    var last: UInt64 = 0
    for byte in rest.reversed() { last = last << 8 | UInt64(byte) }
    return hash.finished(last, bits: rest.count * 8)
  }

  /// Adds eight bytes, the first one in the lowest bits.
  @inlinable mutating func add(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    state = product.high ^ product.low
  }

  /// The hash, after the last fewer than eight bytes: the lowest `bits` of `word`.
  @inlinable func finished(_ word: UInt64, bits: Int) -> UInt32 {
    var last = self
    last.add(
      (word & (1 &<< UInt64(truncatingIfNeeded: bits) &- 1)) &+ UInt64(truncatingIfNeeded: bits)
        &<< 56)
    return UInt32(truncatingIfNeeded: last.state)
  }
}

extension JSONRecord {
  /// Stores the hash of a key in the document that starts at `base`.
  mutating func hashKey(_ base: UnsafeRawPointer) {
    let content = UnsafeRawBufferPointer(start: base + content.lowerBound, count: content.count)
    guard mark else {
      next = JSONKeyHash.of(content)
      return
    }
    var unescaped: [UInt8] = []
    content.withMemoryRebound(to: UInt8.self) { unescaped.appendUnescaped($0.span) }
    next = unescaped.withUnsafeBytes { JSONKeyHash.of($0) }
  }
}
