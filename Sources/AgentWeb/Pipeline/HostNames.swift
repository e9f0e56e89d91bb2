internal import AgentSettings

/// The names that a request may use for the port. With DNS rebinding, a page of another site makes
/// its own name point at this machine. Such a request has a foreign name.
struct HostNames: Sendable {
  private let names: Set<String>
  private let origins: Set<String>
  private let acceptsAnyAddress: Bool

  init(_ settings: HTTPSettings) {
    var names: Set<String> = ["localhost", "127.0.0.1", "::1", settings.listen.host.lowercased()]
    if let base = settings.baseURL.flatMap(Self.authority)?.host { names.insert(base) }
    names.formUnion(settings.allowedHosts.map { $0.lowercased() })
    self.names = names
    origins = Set(settings.corsOrigins.map { $0.lowercased() })
    acceptsAnyAddress = ["0.0.0.0", "::"].contains(settings.listen.host)
  }

  /// Returns whether a `Host` header names this agent.
  func allows(host authority: String?) -> Bool {
    guard let name = authority.flatMap(Authority.init(parsing:))?.host else { return false }
    if names.contains(name) { return true }
    // A page can rebind only a name, not an address.
    return acceptsAnyAddress && ListenAddress.isAddress(name)
  }

  /// Returns whether a page of an origin may send requests: the origin is this port, or the
  /// settings name it.
  func allows(origin: String, host authority: String?) -> Bool {
    let origin = origin.lowercased()
    if origin == "null" { return false }
    if origins.contains(origin) { return true }
    guard let own = authority?.lowercased() else { return false }
    return origin == "http://\(own)" || origin == "https://\(own)"
  }

  /// Returns whether the settings name an origin, so that its pages may read the answer.
  func isNamed(_ origin: String) -> Bool { origins.contains(origin.lowercased()) }

  private static func authority(_ url: String) -> Authority? {
    guard let slashes = url.firstRange(of: "://") else { return nil }
    return Authority(parsing: String(url[slashes.upperBound...].prefix { $0 != "/" }))
  }
}
