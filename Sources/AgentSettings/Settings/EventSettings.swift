/// `events`: how much of the log is kept, and the port that takes events.
public struct EventSettings: Sendable, Hashable {
  /// The retention of one type of event. A limit that is nil doesn't apply.
  public struct Retention: Sendable, Hashable {
    /// Days after an event's timestamp.
    public var maxAgeDays: Double?
    /// Events.
    public var maxEvents: Int?
    /// Bytes of JSON.
    public var maxBytes: Int?

    /// Limits; without arguments none.
    public init(maxAgeDays: Double? = nil, maxEvents: Int? = nil, maxBytes: Int? = nil) {
      self.maxAgeDays = maxAgeDays
      self.maxEvents = maxEvents
      self.maxBytes = maxBytes
    }
  }

  /// The retention of types without limits of their own.
  public var retention = Retention(maxAgeDays: 30, maxBytes: 1 << 30)
  /// Bytes of JSON of all types together; 0 for no limit.
  public var maxTotalBytes = 8 << 30
  /// Limits of single types; what they don't give is taken from ``retention``.
  public var types: [String: Retention] = [:]
  /// The port; nil when none is opened.
  public var tcp: EventPortSettings?

  /// The limits of a type.
  public func retention(of type: String) -> Retention {
    let own = types[type]
    return Retention(
      maxAgeDays: own?.maxAgeDays ?? retention.maxAgeDays,
      maxEvents: own?.maxEvents ?? retention.maxEvents,
      maxBytes: own?.maxBytes ?? retention.maxBytes)
  }
}
