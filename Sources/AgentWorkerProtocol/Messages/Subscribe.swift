/// SUBSCRIBE: requests the events that a filter selects, or the messages of a query.
public struct Subscribe: Sendable, Equatable {
  /// The reaction to a full queue of the subscription in the host.
  public enum Overflow: String, Sendable, CaseIterable {
    case dropOldest = "drop_oldest"
    case dropNewest = "drop_newest"
    case block
    case readLog = "read_log"
  }

  /// The first event of a durable consumer that the host doesn't know yet.
  public enum Start: String, Sendable, CaseIterable {
    case oldest, newest
  }

  /// The text of the query.
  public var query: String
  /// The period of the query. With a period, its messages are delivered and not events.
  public var span: String?
  /// The position at which a query continues: `now`, or the mark of a message of an earlier run.
  public var after: String?
  /// The name of a durable consumer.
  public var consumer: String?
  /// The first event of a durable consumer that the host doesn't know yet.
  public var start: Start
  /// The age of the first events, in milliseconds. Events of this period are delivered first.
  public var windowMilliseconds: Int?
  /// The largest number of events in the host's queue.
  public var capacity: Int?
  /// The reaction to a full queue.
  public var overflow: Overflow

  /// Creates the message.
  public init(
    query: String, span: String? = nil, after: String? = nil, consumer: String? = nil,
    start: Start = .newest,
    windowMilliseconds: Int? = nil, capacity: Int? = nil, overflow: Overflow = .dropOldest
  ) {
    self.query = query
    self.span = span
    self.after = after
    self.consumer = consumer
    self.start = start
    self.windowMilliseconds = windowMilliseconds
    self.capacity = capacity
    self.overflow = overflow
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("SUBSCRIBE", body)
    self.init(
      query: try reader.string("query"), span: try reader.optionalString("span"),
      after: try reader.optionalString("after"), consumer: try reader.optionalString("consumer"),
      start: try reader.choice("from") ?? .newest,
      windowMilliseconds: try reader.optionalInt("window_ms"),
      capacity: try reader.optionalInt("capacity"),
      overflow: try reader.choice("overflow") ?? .dropOldest)
    if span != nil { try reader.refuse("span", beside: "consumer", "window_ms", "overflow") }
    if consumer != nil { try reader.refuse("consumer", beside: "window_ms", "overflow") }
    if span == nil, after != nil {
      throw .body(
        "SUBSCRIBE", "has \"after\" without \"span\": only a query continues after a mark")
    }
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.string("query", query)
    writer.string("span", span)
    writer.string("after", after)
    writer.string("consumer", consumer)
    if consumer != nil { writer.string("from", start.rawValue) }
    writer.int("window_ms", windowMilliseconds)
    writer.int("capacity", capacity)
    if span == nil, consumer == nil { writer.string("overflow", overflow.rawValue) }
    return writer.finish()
  }
}
