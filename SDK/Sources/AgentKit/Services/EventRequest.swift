/// Which events to deliver.
public struct EventRequest: Sendable, Hashable {
  /// What the host does when events come faster than the subscriber takes them.
  public enum Overflow: String, Sendable {
    /// Drop the oldest waiting event.
    case dropOldest = "drop_oldest"
    /// Drop the new event.
    case dropNewest = "drop_newest"
    /// Make publishers wait: nothing is lost, and a slow subscriber slows every publisher down.
    case block
    /// Neither lose events nor slow publishers: events that don't fit are read from the log later.
    case readLog = "read_log"
  }

  /// Where a durable consumer begins if the host doesn't know it yet.
  public enum Start: String, Sendable {
    /// With the oldest event of the log.
    case oldest
    /// With the next event that is published.
    case newest
  }

  /// The query: a filter such as `log_line level:error`; with a ``span``, pipes may follow.
  public var query: String
  /// How far to look back. When `nil`, a subscription delivers new events only, and a query
  /// searches all events.
  public var window: Duration?
  /// How many events may wait in the host for this subscription.
  public var capacity: Int?
  /// The reaction when ``capacity`` is reached.
  public var overflow: Overflow?
  /// The time span that a query covers, such as `last 60 seconds`. The subscription then delivers
  /// the query's messages instead of events.
  public var span: String?
  /// Where a query with a span continues: `now`, or the mark of a message of an earlier run. When
  /// set, its messages have marks.
  public var after: String?
  /// The name of a durable consumer: the host remembers which events it has processed.
  public var consumer: String?
  /// Where that consumer begins if the host doesn't know it yet.
  public var start: Start?
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

  /// The request's JSON form.
  public var json: JSONValue {
    var object: JSONObject = ["query": .string(query)]
    if let window { object["window_ms"] = JSONValue(window.wholeMilliseconds) }
    if let capacity { object["capacity"] = JSONValue(capacity) }
    if let overflow { object["overflow"] = .string(overflow.rawValue) }
    if let span { object["span"] = .string(span) }
    if let after { object["after"] = .string(after) }
    if let consumer { object["consumer"] = .string(consumer) }
    if let start { object["from"] = .string(start.rawValue) }
    if let limit { object["limit"] = JSONValue(limit) }
    return .object(object)
  }
}

extension Duration {
  /// Milliseconds, rounded down and clamped to the range of `Int`.
  public var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carried ? (scaled < 0 ? .min : .max) : Int(sum)
  }
}
