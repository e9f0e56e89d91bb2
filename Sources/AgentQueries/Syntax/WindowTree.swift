/// The rows of an aggregation, as written after `over`.
public struct WindowTree: Sendable, Hashable {
  /// The kind of the window.
  public enum Kind: Sendable, Hashable {
    /// `last 60 seconds`: the rows of the last period.
    case last(QueryPeriod)
    /// `last 10 items`: the last rows.
    case lastItems(Int)
    /// `current minute`, `today`: the rows since the unit began.
    case current(QueryPeriod.Unit)
    /// `all`: the rows since the query began.
    case all
  }

  public let kind: Kind
  /// The place in the text, without `over`.
  public let range: QueryRange

  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}

/// The output times of a pipe.
public struct OutputTree: Sendable, Hashable {
  /// The kind of output times.
  public enum Kind: Sendable, Hashable {
    /// `every 30 seconds`.
    case every(QueryPeriod)
    /// `every item`, `every 10 items`.
    case everyItems(Int)
    /// `at the end`: once, when the input ends.
    case atTheEnd
  }

  public let kind: Kind
  /// The place in the text.
  public let range: QueryRange

  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}
