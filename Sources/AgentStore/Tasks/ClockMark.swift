/// The wall clock and the steady clock at the same moment. It outlives the host, so that the next
/// one finds out whether the wall clock was set meanwhile.
public struct ClockMark: Sendable, Hashable {
  /// Identifies the start of the machine, with which the steady clock begins anew.
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
