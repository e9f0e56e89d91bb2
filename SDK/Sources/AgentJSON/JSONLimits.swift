/// Limits of a parser; it refuses a document beyond them.
public struct JSONLimits: Hashable, Sendable {
  /// The deepest nesting of arrays and objects; 512 at most, since converting a document to values
  /// takes a stack frame per level.
  public let maximumDepth: Int
  /// The longest document in bytes; 512 MiB at most, since nodes keep 32-bit offsets.
  public let maximumBytes: Int

  /// Limits for input that isn't trusted. Values above the documented maxima are lowered.
  public init(maximumDepth: Int = 64, maximumBytes: Int = 64 << 20) {
    self.maximumDepth = min(max(maximumDepth, 0), 512)
    self.maximumBytes = min(max(maximumBytes, 0), 512 << 20)
  }
}
