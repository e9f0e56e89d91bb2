/// SUBSCRIBE: ask for the events that a query selects.
public struct Subscribe: Sendable, Equatable {
  /// What to lose when the subscription's queue in the host is full.
  public enum Overflow: String, Sendable {
    case dropOldest = "drop_oldest"
    case dropNewest = "drop_newest"
  }

  /// The query's text.
  public var query: String
  /// Events of the last so many milliseconds come first.
  public var windowMilliseconds: Int?
  /// How many events may wait in the host's queue.
  public var capacity: Int?
  /// What to lose when it is full.
  public var overflow: Overflow

  /// Makes the message.
  public init(
    query: String, windowMilliseconds: Int? = nil, capacity: Int? = nil,
    overflow: Overflow = .dropOldest
  ) {
    self.query = query
    self.windowMilliseconds = windowMilliseconds
    self.capacity = capacity
    self.overflow = overflow
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("SUBSCRIBE", body)
    let policy = try reader.optionalString("overflow") ?? Overflow.dropOldest.rawValue
    guard let overflow = Overflow(rawValue: policy) else {
      throw .body("SUBSCRIBE", "has an \"overflow\" that is neither drop_oldest nor drop_newest")
    }
    self.init(
      query: try reader.string("query"),
      windowMilliseconds: try reader.optionalInt("window_ms"),
      capacity: try reader.optionalInt("capacity"), overflow: overflow)
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.string("query", query)
    writer.int("window_ms", windowMilliseconds)
    writer.int("capacity", capacity)
    writer.string("overflow", overflow.rawValue)
    return writer.finish()
  }
}
