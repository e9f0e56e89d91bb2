/// The authenticated sender of a request.
public struct Principal: Sendable, Hashable {
  /// The kind of a principal.
  public enum Kind: String, Sendable, CaseIterable {
    /// A process on this machine that uses the socket. The kernel names its user.
    case local
    /// A person who has signed in.
    case person
    /// A program with a token.
    case program
    /// A bot with a token of its own.
    case bot
  }

  public let kind: Kind
  /// The name of the user, program or bot, or the id of the system's user.
  public let name: String
  public let scopes: Set<Scope>
  /// The id of the token of the request. Nil means that the request has none.
  public let token: String?

  /// Makes a principal. Each scope includes its lesser ones.
  public init(kind: Kind, name: String, scopes: some Sequence<Scope>, token: String? = nil) {
    self.kind = kind
    self.name = name
    self.scopes = scopes.reduce(into: []) { $0.formUnion($1.withLesser) }
    self.token = token
  }

  /// Returns whether the principal has a scope.
  public func may(_ scope: Scope) -> Bool { scopes.contains(scope) }

  /// The key that differs between all principals. It is the token's id if there is one, because
  /// several tokens may have the same name and different scopes.
  public var key: String { token.map { "token:\($0)" } ?? label }

  /// The name in the audit log, such as `person:ada`. Two programs may have the same name.
  public var label: String { "\(kind.rawValue):\(name)" }
}
