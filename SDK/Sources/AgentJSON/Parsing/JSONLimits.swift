/// The limits of a parser. It refuses larger documents.
public struct JSONLimits: Hashable, Sendable {
  /// The largest depth of nested arrays and objects. It is 512 at most, because converting a
  /// document to values takes a stack frame for each level.
  public let maxDepth: Int
  /// The largest document in bytes. It is 512 MiB at most, because nodes have 32-bit offsets.
  public let maxBytes: Int

  /// Creates limits. The defaults suit untrusted input. Values above the documented maxima are
  /// lowered.
  public init(maxDepth: Int = 64, maxBytes: Int = 64 << 20) {
    self.maxDepth = min(max(maxDepth, 0), 512)
    self.maxBytes = min(max(maxBytes, 0), 512 << 20)
  }
}
