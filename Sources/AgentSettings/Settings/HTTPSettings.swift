/// `http`: the API's port.
public struct HTTPSettings: Sendable, Hashable {
  /// The limits of one client and of all clients.
  public struct Limits: Sendable, Hashable {
    /// The maximum size of a body, in bytes.
    public var body = 2 << 20
    /// The maximum nesting of JSON.
    public var depth = 64
    /// How long a request may make no progress, in seconds.
    public var idleSeconds = 10.0
    /// The maximum number of open connections.
    public var connections = 10_000
    /// The maximum number of open connections of one client: an IPv4 address, or the /64 of an IPv6
    /// address.
    public var connectionsPerAddress = 1000
    /// The maximum number of open streams.
    public var streams = 1000
    /// The maximum duration of a stream, in seconds.
    public var streamSeconds = 3600.0
    /// How often a stream without data sends a heartbeat, in seconds.
    public var heartbeatSeconds = 5.0
    /// The average number of requests a second that one principal, and one address, may send.
    public var requestsPerSecond = 500
    /// The number of requests that may come at once.
    public var burst = 1000
  }

  /// The files for TLS.
  public struct TLS: Sendable, Hashable {
    /// The absolute path of a PEM file. The server's own certificate is the first in it.
    public var certificate: String
    /// The absolute path of a PEM file.
    public var key: String
  }

  /// The address of the port if the settings give none.
  public static let usualAddress = ListenAddress(host: "127.0.0.1", port: 8700)

  public var isEnabled = true
  public var listen = usualAddress
  /// Whether the settings give no address. Then the next free port is used if this one is taken.
  public var isUsualAddress = true
  /// The URL that other machines use.
  public var baseURL: String?
  /// Further names that the `Host` field of a request may have.
  public var allowedHosts: [String] = []
  /// The origins of other pages that may use the API from a browser.
  public var corsOrigins: [String] = []
  /// The proxies whose statement about the client of a request is trusted.
  public var trustedProxies: [NetworkPrefix] = []
  /// TLS. Nil means plain HTTP.
  public var tls: TLS?
  /// Whether programs on this machine need no token.
  public var allowsLocalWithoutToken = false
  /// Whether each request is logged.
  public var hasAccessLog = true
  public var limits = Limits()

  public init() {}
}
