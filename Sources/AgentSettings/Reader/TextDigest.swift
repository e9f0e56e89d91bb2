internal import AgentText

/// A short digest of a text, the same in every process. It detects accidental changes. It is not
/// safe against texts that are made to collide.
enum TextDigest {
  /// Returns 64 bits of FNV-1a in hexadecimal.
  static func of(_ bytes: some Sequence<UInt8>) -> String {
    String(FNV1a.hash(of: bytes), radix: 16)
  }
}
