/// The number of rows that steps left out, in whole or in part, by reason.
public struct QueryLosses: Sendable, Hashable {
  /// The row was older than every later window.
  public internal(set) var late: UInt64 = 0
  /// The row was too far ahead of the clock.
  public internal(set) var future: UInt64 = 0
  /// The row's group exceeded the maximum number of groups.
  public internal(set) var groups: UInt64 = 0
  /// The row, or the outputs of a moment, needed more steps than one may.
  public internal(set) var work: UInt64 = 0
  /// The output row had more bytes than one may. Only its further columns were left out.
  public internal(set) var bytes: UInt64 = 0
  /// The output rows of the row's moment had more bytes than they may together.
  public internal(set) var outputs: UInt64 = 0

  public init() {}
}
