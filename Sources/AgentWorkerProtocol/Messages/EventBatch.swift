import AgentJSON

/// EVENT: events for a subscription.
public struct EventBatch: Sendable, Equatable {
  /// The events as a JSON array, oldest first.
  public var events: [UInt8]
  public var count: Int
  /// The number of events that were lost since the previous batch.
  public var dropped: Int
  /// Whether the subscription ends with these events.
  public var isLast: Bool

  /// Creates the message from events in JSON.
  public init(joining events: some Collection<[UInt8]>, dropped: Int = 0, isLast: Bool = false) {
    var array: [UInt8] = []
    array.reserveCapacity(events.reduce(2) { $0 + $1.count + 1 })
    array.append(UInt8(ascii: "["))
    for event in events {
      if array.count > 1 { array.append(UInt8(ascii: ",")) }
      array.append(contentsOf: event)
    }
    array.append(UInt8(ascii: "]"))
    self.events = array
    self.count = events.count
    self.dropped = dropped
    self.isLast = isLast
  }

  /// Reads the message from a frame's body.
  public init(json body: [UInt8]) throws(WorkerProtocolError) {
    let reader = try BodyReader("EVENT", body)
    count = try reader.array("events").count
    events = try reader.raw("events")
    dropped = max(0, try reader.optionalInt("dropped") ?? 0)
    isLast = try reader.optionalBool("ended") ?? false
  }

  /// The message as a frame's body.
  public var json: [UInt8] {
    var writer = BodyWriter()
    writer.raw("events", events)
    writer.int("dropped", dropped)
    if isLast { writer.bool("ended", true) }
    return writer.finish()
  }
}
