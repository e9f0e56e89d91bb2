/// How a running query deals with time, and how much it may hold; the rules are in
/// docs/queries-time.md.
public struct QueryTiming: Sendable, Hashable {
  /// How long outputs wait for rows that come late, in milliseconds.
  public var lateness: Int64
  /// How far ahead of the clock a row may be and still wait for its window, in milliseconds.
  public var future: Int64
  /// By how much the clock must be set back for the windows to begin anew, in milliseconds.
  public var setBack: Int64
  /// The most groups that one pipe keeps.
  public var groups: Int
  /// The most bytes that all pipes hold together: a query that needs more ends.
  public var bytes: Int

  /// - Parameters:
  ///   - lateness: an output of the moment T comes once the clock is at T + lateness.
  ///   - future: rows further ahead of the clock are left out, and counted.
  ///   - setBack: a clock that is set back by less is waited for.
  ///   - groups: rows of groups beyond are left out, and counted.
  ///   - bytes: a query that holds more ends with a sentence that says so.
  public init(
    lateness: Int64 = 500, future: Int64 = 3_600_000, setBack: Int64 = 60_000,
    groups: Int = 100_000, bytes: Int = 256 << 20
  ) {
    self.lateness = max(0, lateness.clamped)
    self.future = max(0, future.clamped)
    self.setBack = max(0, setBack.clamped)
    self.groups = max(1, groups)
    self.bytes = max(1, bytes)
  }

  var limits: EngineLimits { EngineLimits(groups: groups, bytes: bytes, future: future) }
}
