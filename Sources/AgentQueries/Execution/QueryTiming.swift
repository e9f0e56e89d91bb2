/// The limits of a running query in time and memory. docs/queries-time.md has the rules.
public struct QueryTiming: Sendable, Hashable {
  /// How long outputs wait for late rows, in milliseconds.
  public var lateness: Int64
  /// How far a row may be ahead of the clock and still wait for its window, in milliseconds.
  public var future: Int64
  /// How far the clock must be set back so that windows begin anew, in milliseconds.
  public var setBack: Int64
  /// The maximum number of groups of one pipe.
  public var groups: Int
  /// The maximum number of bytes of all pipes together. A query that needs more ends.
  public var bytes: Int
  /// The limits of work for a row and for the outputs of a moment.
  var work = WorkLimits()
  /// The maximum number of bytes of an output row as JSON.
  var rowBytes = 4 << 20
  /// The maximum number of bytes of the output rows of one moment as JSON.
  var outputBytes = 32 << 20

  /// - Parameters:
  ///   - lateness: the output of the moment T comes when the clock is at T + lateness.
  ///   - future: rows further ahead of the clock are left out and counted.
  ///   - setBack: if the clock is set back by less, the query waits for it.
  ///   - groups: rows of further groups are left out and counted.
  ///   - bytes: a query that needs more ends with a message.
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

  var limits: EngineLimits {
    EngineLimits(
      groups: groups, bytes: bytes, work: work, rowBytes: rowBytes, outputBytes: outputBytes,
      future: future)
  }
}
