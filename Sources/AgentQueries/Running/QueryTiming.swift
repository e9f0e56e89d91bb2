/// How a running query deals with time; the rule is in docs/queries-time.md.
public struct QueryTiming: Sendable, Hashable {
  /// How long outputs wait for rows that come late, in milliseconds.
  public var lateness: Int64
  /// How far ahead of the clock a row may be and still wait for its window, in milliseconds.
  public var future: Int64
  /// The most groups that one pipe keeps.
  public var groups: Int

  /// - Parameters:
  ///   - lateness: an output of the moment T comes once the clock is at T + lateness.
  ///   - future: rows further ahead of the clock are left out of windows, and counted.
  ///   - groups: rows of groups beyond are left out, and counted.
  public init(lateness: Int64 = 500, future: Int64 = 3_600_000, groups: Int = 100_000) {
    self.lateness = max(0, lateness.clamped)
    self.future = max(0, future.clamped)
    self.groups = max(1, groups)
  }

  var limits: EngineLimits { EngineLimits(groups: groups, future: future) }
}
