/// Which rows an aggregation sees: what stands behind `over`.
public struct WindowTree: Sendable, Hashable {
  /// Which rows they are.
  public enum Kind: Sendable, Hashable {
    /// `last 60 seconds`: those of the time before now.
    case last(QueryPeriod)
    /// `last 10 items`.
    case lastItems(Int)
    /// `current minute`, `today`: those since the unit began.
    case current(QueryPeriod.Unit)
    /// `all`: those since the query began.
    case all
  }

  /// Which rows they are.
  public let kind: Kind
  /// Where it stands, without `over`.
  public let range: QueryRange

  /// A window at `range`.
  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}

/// When a pipe puts rows out.
public struct OutputTree: Sendable, Hashable {
  /// When that is.
  public enum Kind: Sendable, Hashable {
    /// `every 30 seconds`.
    case every(QueryPeriod)
    /// `every item`, `every 10 items`.
    case everyItems(Int)
    /// `at the end`: once, when the input ends.
    case atTheEnd
  }

  /// When that is.
  public let kind: Kind
  /// Where it stands.
  public let range: QueryRange

  /// An output at `range`.
  public init(_ kind: Kind, at range: QueryRange) {
    self.kind = kind
    self.range = range
  }
}
