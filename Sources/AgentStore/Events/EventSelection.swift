/// The events that a read asks for, and their order.
public struct EventSelection: Sendable, Hashable {
  /// The field that the events are sorted by.
  public enum Order: Sendable, Hashable {
    /// The order in which they were stored.
    case position
    /// Their timestamps; those of the same millisecond by position.
    case timestamp
  }

  /// Only these types; nil for all. Compared exactly.
  public var types: [String]?
  /// Only positions greater than this.
  public var after: Int64?
  /// Only positions up to and including this.
  public var through: Int64?
  /// Only timestamps from this on, in Unix milliseconds.
  public var from: Int64?
  /// Only timestamps before this.
  public var before: Int64?
  public var order: Order
  /// Whether the last come first.
  public var isBackwards: Bool
  /// The most events in all; nil for no limit.
  public var limit: Int?
  /// A page ends when its bodies have this size, in bytes; nil for the store's own limit. A single
  /// event may be larger.
  public var pageBytes: Int?
  /// Where the page before ended; nil for the first page.
  var place: Place?

  /// The last event of a page, or how far it has looked.
  struct Place: Sendable, Hashable {
    let timestamp: Int64
    let position: Int64
  }

  /// Makes a selection; without arguments, of everything.
  public init(
    types: [String]? = nil, after: Int64? = nil, through: Int64? = nil, from: Int64? = nil,
    before: Int64? = nil, order: Order = .position, isBackwards: Bool = false, limit: Int? = nil
  ) {
    self.types = types
    self.after = after
    self.through = through
    self.from = from
    self.before = before
    self.order = order
    self.isBackwards = isBackwards
    self.limit = limit
  }
}

/// Some events of a selection, and how to go on.
public struct EventPage: Sendable, Hashable {
  /// The events, in the selection's order. May be empty although more follow: a page also ends
  /// when it has looked at many events that the selection leaves out.
  public let events: [StoredEvent]
  /// What follows; nil when this was all.
  public let next: EventSelection?
}
