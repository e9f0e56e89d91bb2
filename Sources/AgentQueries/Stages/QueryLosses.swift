/// The number of rows that steps left out, by reason.
public struct QueryLosses: Sendable, Hashable {
  /// The row was older than every later window.
  public internal(set) var late: UInt64 = 0
  /// The row was too far ahead of the clock.
  public internal(set) var future: UInt64 = 0
  /// The row's group exceeded the maximum number of groups.
  public internal(set) var groups: UInt64 = 0

  public init() {}
}
