/// `access`: users, sessions and the audit log.
public struct AccessSettings: Sendable, Hashable {
  /// A user that the settings declare. The host adds it if no user of this name exists.
  public struct User: Sendable, Hashable {
    public let name: String
    /// One of `viewer`, `operator` and `administrator`.
    public let role: String
    /// The password's hash, `$argon2id$…`.
    public let hash: String
  }

  /// How much of the audit log is kept.
  public struct Audit: Sendable, Hashable {
    /// The maximum age of a line, in days.
    public var maxAgeDays = 365.0
    /// The maximum size of the log, in bytes.
    public var maxBytes = 256 << 20

    public init() {}
  }

  public var audit = Audit()
  /// The declared users, in the settings' order.
  public var users: [User] = []
  /// The lifetime of a sign-in, in hours.
  public var sessionHours = 12.0

  public init() {}
}
