/// A short name for a text, the same in every process. It tells texts apart that happen to differ,
/// and holds nobody off who wants two to be alike.
enum TextDigest {
  /// 64 bits of FNV-1a, in hexadecimal.
  static func of(_ bytes: some Sequence<UInt8>) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
