/// FNV-1a with 64 bits (Fowler, Noll, Vo): a hash of bytes that is the same in every process,
/// unlike Swift's own. It distinguishes versions, but an attacker can choose bytes that collide.
package enum FNV1a {
  /// Returns the hash of bytes.
  /// - Parameter start: the hash of the bytes before them. The default is the algorithm's initial
  ///   value.
  @inlinable
  package static func hash(
    of bytes: some Sequence<UInt8>, after start: UInt64 = 0xcbf2_9ce4_8422_2325
  ) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
