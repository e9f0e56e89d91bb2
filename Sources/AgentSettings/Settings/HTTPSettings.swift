/// `http`: the API's port.
public struct HTTPSettings: Sendable, Hashable {
  /// What a client may use.
  public struct Limits: Sendable, Hashable {
    /// The most bytes of a body.
    public var body = 2 << 20
    /// The deepest nesting of JSON.
    public var depth = 64
    /// Seconds in which a request must get on.
    public var idleSeconds = 10.0
    /// How many connections may be open at once.
    public var connections = 10_000
    /// How many of them one client may have: an IPv4 address, or the /64 of an IPv6 address.
    public var connectionsPerAddress = 1000
    /// How many answers that don't end by themselves may be open at once.
    public var streams = 1000
    /// Seconds after which a stream ends.
    public var streamSeconds = 3600.0
    /// Seconds after which a stream on which nothing happens says so.
    public var heartbeatSeconds = 5.0
    /// How many requests one principal, and one address, may send in the long run.
    public var requestsPerSecond = 500
    /// How many of them may come at once.
    public var burst = 1000
  }

  /// The files of TLS.
  public struct TLS: Sendable, Hashable {
    /// PEM, the certificate first; an absolute path.
    public var certificate: String
    /// PEM; an absolute path.
    public var key: String
  }

  /// The address of the port when the settings say nothing of it.
  public static let usualAddress = ListenAddress(host: "127.0.0.1", port: 8700)

  /// Whether the port is opened.
  public var isEnabled = true
  /// Where.
  public var listen = usualAddress
  /// Whether the settings don't say where: then the next free port will do.
  public var isUsualAddress = true
  /// The URL under which others reach it.
  public var baseURL: String?
  /// Further names that a request's `Host` may have.
  public var allowedHosts: [String] = []
  /// Origins of other pages that may use it from a browser.
  public var corsOrigins: [String] = []
  /// Proxies that are believed when they say whose request they pass on.
  public var trustedProxies: [NetworkPrefix] = []
  /// TLS; nil for none.
  public var tls: TLS?
  /// Whether programs on this machine need no token.
  public var allowsLocalWithoutToken = false
  /// Whether each request is written down.
  public var hasAccessLog = true
  /// What a client may use.
  public var limits = Limits()

  /// A port as it is without further settings.
  public init() {}
}
