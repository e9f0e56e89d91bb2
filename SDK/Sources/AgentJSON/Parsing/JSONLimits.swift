/// Limits of a parser; it refuses a document beyond them.
public struct JSONLimits: Hashable, Sendable {
  /// The deepest nesting of arrays and objects; 512 at most, since converting a document to values
  /// takes a stack frame per level.
  public let maxDepth: Int
  /// The longest document in bytes; 512 MiB at most, since nodes keep 32-bit offsets.
  public let maxBytes: Int

  /// Limits for input that isn't trusted. Values above the documented maxima are lowered.
  public init(maxDepth: Int = 64, maxBytes: Int = 64 << 20) {
    self.maxDepth = min(max(maxDepth, 0), 512)
    self.maxBytes = min(max(maxBytes, 0), 512 << 20)
  }
}
