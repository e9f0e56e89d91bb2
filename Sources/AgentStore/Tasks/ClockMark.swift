/// What the wall clock and the steady one have shown at the same moment, kept beyond the end of the
/// host: by it the next one finds out that somebody has set the wall clock meanwhile.
public struct ClockMark: Sendable, Hashable {
  /// Which start of the machine: the steady clock begins anew with it.
  public var boot: String
  /// Unix milliseconds.
  public var wall: Int64
  /// Milliseconds of the steady clock.
  public var steady: Int64

  /// A mark.
  public init(boot: String, wall: Int64, steady: Int64) {
    (self.boot, self.wall, self.steady) = (boot, wall, steady)
  }
}
