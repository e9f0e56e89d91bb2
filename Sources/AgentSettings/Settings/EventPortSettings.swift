/// `events.tcp`: a port that takes events as lines of JSON.
public struct EventPortSettings: Sendable, Hashable {
  /// Where it is opened.
  public var listen: ListenAddress
  /// Whether other machines may reach it.
  public var allowsRemote = false
  /// The `type` of events that have none; without it they are refused.
  public var type: String?
  /// The `source` of events that have none.
  public var source = "tcp"
  /// How many clients may be connected at once.
  public var maxConnections = 100
  /// The most bytes of a line.
  public var maxLine = 1 << 20
  /// Seconds without a byte after which a client's connection is closed; 0 for never.
  public var idleSeconds = 3600

  /// A port as it is without further settings.
  public init(listen: ListenAddress) {
    self.listen = listen
  }
}
