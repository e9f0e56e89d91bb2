/// Rows that steps left out.
public struct QueryLosses: Sendable, Hashable {
  /// Older than every window that is still to come.
  public internal(set) var late: UInt64 = 0
  /// Too far ahead of the clock.
  public internal(set) var future: UInt64 = 0
  /// Rows of groups beyond the limit.
  public internal(set) var groups: UInt64 = 0

  /// None.
  public init() {}
}
