/// What a parser accepts before it refuses a document that would cost too much.
public struct JSONLimits: Hashable, Sendable {
  /// How many arrays and objects may be inside one another; 512 at most, since converting a
  /// document to values takes a stack frame a level.
  public let maximumDepth: Int
  /// How long a document may be; 512 MiB at most, since nodes keep 32-bit offsets.
  public let maximumBytes: Int

  /// Limits for input that isn't trusted; larger figures than the documented maxima are lowered.
  public init(maximumDepth: Int = 64, maximumBytes: Int = 64 << 20) {
    self.maximumDepth = min(max(maximumDepth, 0), 512)
    self.maximumBytes = min(max(maximumBytes, 0), 512 << 20)
  }
}
