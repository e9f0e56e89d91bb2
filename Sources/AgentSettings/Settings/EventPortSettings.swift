/// `events.tcp`: a port that accepts events as lines of JSON.
public struct EventPortSettings: Sendable, Hashable {
  public var listen: ListenAddress
  /// Whether other machines may connect.
  public var allowsRemote = false
  /// The `type` of events without one. If it is nil, such events are refused.
  public var type: String?
  /// The `source` of events without one.
  public var source = "tcp"
  /// The maximum number of connected clients.
  public var maxConnections = 100
  /// The maximum length of a line, in bytes.
  public var maxLine = 1 << 20
  /// How long a client's connection may be silent before it is closed, in seconds. 0 means no
  /// limit.
  public var idleSeconds = 3600

  public init(listen: ListenAddress) {
    self.listen = listen
  }
}
