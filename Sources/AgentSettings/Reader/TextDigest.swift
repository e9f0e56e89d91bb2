/// A short digest of a text, the same in every process. It detects accidental changes. It is not
/// safe against texts that are made to collide.
enum TextDigest {
  /// Returns 64 bits of FNV-1a in hexadecimal.
  static func of(_ bytes: some Sequence<UInt8>) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
