/// Which events to deliver.
public struct EventRequest: Sendable, Hashable {
  /// What to drop when events come faster than they are taken.
  public enum Overflow: String, Sendable {
    /// Keep what is new.
    case dropOldest = "drop_oldest"
    /// Keep what is old.
    case dropNewest = "drop_newest"
  }

  /// The query: words separated by spaces that must all hold. The first may be an event type, or
  /// `*` for all; the others are `field:value`. For example `log_line level:error`.
  public var query: String
  /// How far to look back. `nil`: a subscription delivers new events only, a query all there are.
  public var window: Duration?
  /// How many events may wait in the host for this subscription.
  public var capacity: Int?
  /// What to drop when that many wait.
  public var overflow: Overflow?
  /// How many events a query returns at most; the newest are kept.
  public var limit: Int?

  /// Makes a request.
  public init(
    _ query: String, window: Duration? = nil, capacity: Int? = nil, overflow: Overflow? = nil,
    limit: Int? = nil
  ) {
    self.query = query
    self.window = window
    self.capacity = capacity
    self.overflow = overflow
    self.limit = limit
  }

  /// The request as it travels.
  public var json: JSONValue {
    var object: JSONObject = ["query": .string(query)]
    if let window { object["window_ms"] = JSONValue(window.wholeMilliseconds) }
    if let capacity { object["capacity"] = JSONValue(capacity) }
    if let overflow { object["overflow"] = .string(overflow.rawValue) }
    if let limit { object["limit"] = JSONValue(limit) }
    return .object(object)
  }
}

extension Duration {
  /// In milliseconds, rounded down; what doesn't fit is brought into range.
  public var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carried ? (scaled < 0 ? .min : .max) : Int(sum)
  }
}
