/// The events that a read returns, and their order.
public struct EventSelection: Sendable, Hashable {
  /// The field by which the events are sorted.
  public enum Order: Sendable, Hashable {
    /// The order in which they were stored.
    case position
    /// The order of their timestamps. Events of the same millisecond are ordered by position.
    case timestamp
  }

  /// Only these types; `nil` for all. They are compared exactly.
  public var types: [String]?
  /// Only positions greater than this.
  public var after: Int64?
  /// Only positions less than or equal to this.
  public var through: Int64?
  /// Only timestamps at or after this, in Unix milliseconds.
  public var from: Int64?
  /// Only timestamps before this, in Unix milliseconds.
  public var before: Int64?
  public var order: Order
  /// Whether the order is reversed.
  public var isBackwards: Bool
  /// The largest number of events in all pages together; `nil` for no limit.
  public var limit: Int?
  /// The size of the bodies at which a page ends, in bytes; `nil` for the store's own limit. A
  /// single event may be larger.
  public var pageBytes: Int?
  /// The end of the former page; `nil` for the first page.
  var place: Place?

  /// The last event of a page, or the last one that was examined.
  struct Place: Sendable, Hashable {
    let timestamp: Int64
    let position: Int64
  }

  /// Creates a selection. Without arguments it selects all events.
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

/// A page of selected events and the selection of the next page.
public struct EventPage: Sendable, Hashable {
  /// The events in the order of the selection. It may be empty although more events follow, because
  /// a page also ends when it has examined many events that don't match.
  public let events: [StoredEvent]
  /// The selection of the next page; `nil` for the last page.
  public let next: EventSelection?
}
