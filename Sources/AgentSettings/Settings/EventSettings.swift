/// `events`: the retention of the log, and the port that accepts events.
public struct EventSettings: Sendable, Hashable {
  /// The retention of one type of event. Nil means no limit.
  public struct Retention: Sendable, Hashable {
    /// The maximum age in days, counted from an event's timestamp.
    public var maxAgeDays: Double?
    /// The maximum number of events.
    public var maxEvents: Int?
    /// The maximum size, in bytes of JSON.
    public var maxBytes: Int?

    public init(maxAgeDays: Double? = nil, maxEvents: Int? = nil, maxBytes: Int? = nil) {
      self.maxAgeDays = maxAgeDays
      self.maxEvents = maxEvents
      self.maxBytes = maxBytes
    }
  }

  /// The retention of types without limits of their own.
  public var retention = Retention(maxAgeDays: 30, maxBytes: 1 << 30)
  /// The maximum size of all types together, in bytes of JSON. 0 means no limit.
  public var maxTotalBytes = 8 << 30
  /// The limits of single types. A limit that is nil has the value of ``retention``.
  public var types: [String: Retention] = [:]
  /// The port for events. Nil means that none is opened.
  public var tcp: EventPortSettings?

  /// Returns the limits of a type.
  public func retention(of type: String) -> Retention {
    let local = types[type]
    return Retention(
      maxAgeDays: local?.maxAgeDays ?? retention.maxAgeDays,
      maxEvents: local?.maxEvents ?? retention.maxEvents,
      maxBytes: local?.maxBytes ?? retention.maxBytes)
  }
}
