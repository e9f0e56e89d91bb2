/// `access`: who may use the API.
public struct AccessSettings: Sendable, Hashable {
  /// A user whom the agent takes over when it doesn't have them yet.
  public struct User: Sendable, Hashable {
    /// The name.
    public let name: String
    /// viewer, operator or administrator.
    public let role: String
    /// The password's hash, `$argon2id$…`.
    public let hash: String
  }

  /// How much of the audit log is kept.
  public struct Audit: Sendable, Hashable {
    /// How many days.
    public var maxAgeDays = 365.0
    /// How many bytes.
    public var maxBytes = 256 << 20

    /// The defaults.
    public init() {}
  }

  /// How much of the audit log is kept.
  public var audit = Audit()
  /// Users, in the settings' order.
  public var users: [User] = []
  /// How long who signs in stays signed in.
  public var sessionHours = 12.0

  /// The defaults.
  public init() {}
}
