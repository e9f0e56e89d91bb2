/// Which events to deliver.
public struct EventRequest: Sendable, Hashable {
  /// What happens when events come faster than they are taken.
  public enum Overflow: String, Sendable {
    /// Lose the oldest that wait.
    case dropOldest = "drop_oldest"
    /// Lose those that come.
    case dropNewest = "drop_newest"
    /// Let whoever publishes wait: nothing is lost, and a slow subscriber slows all down.
    case block
    /// Lose nothing and hold nobody up: what doesn't fit is read from the log later.
    case readLog = "read_log"
  }

  /// Where a durable consumer begins that the host doesn't know yet.
  public enum Start: String, Sendable {
    /// With the oldest event of the log.
    case oldest
    /// With what is published from now on.
    case newest
  }

  /// The query: a filter such as `log_line level:error`; with a ``span``, pipes may follow.
  public var query: String
  /// How far to look back. `nil`: a subscription delivers new events only, a query all there are.
  public var window: Duration?
  /// How many events may wait in the host for this subscription.
  public var capacity: Int?
  /// What happens when that many wait.
  public var overflow: Overflow?
  /// Over what time a query runs, such as `last 60 seconds`; its messages are delivered instead of
  /// events.
  public var span: String?
  /// Where a query with a span goes on: `now`, or the mark of a message of an earlier run. Its
  /// messages have marks then.
  public var after: String?
  /// The name of a durable consumer: the host remembers what it has dealt with.
  public var consumer: String?
  /// Where that consumer begins.
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

  /// The request as it travels.
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
  /// In milliseconds, rounded down; what doesn't fit is brought into range.
  public var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return carried ? (scaled < 0 ? .min : .max) : Int(sum)
  }
}
