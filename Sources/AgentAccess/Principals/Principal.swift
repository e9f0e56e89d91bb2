/// The authenticated sender of a request.
public struct Principal: Sendable, Hashable {
  /// The kind of a principal.
  public enum Kind: String, Sendable, CaseIterable {
    /// Somebody on this machine, known by the socket's peer.
    case local
    /// A person who has signed in.
    case person
    /// A program with a token.
    case program
    /// A bot with a token of its own.
    case bot
  }

  /// What kind of somebody it is.
  public let kind: Kind
  /// The user, the program, the bot, or the id of the system's user.
  public let name: String
  /// What they may do.
  public let scopes: Set<Scope>
  /// The token that said so.
  public let token: String?

  /// Makes one. Scopes bring their lesser ones.
  public init(kind: Kind, name: String, scopes: some Sequence<Scope>, token: String? = nil) {
    self.kind = kind
    self.name = name
    self.scopes = scopes.reduce(into: []) { $0.formUnion($1.withLesser) }
    self.token = token
  }

  /// Whether they may.
  public func may(_ scope: Scope) -> Bool { scopes.contains(scope) }

  /// What tells them from everybody else: the token that they came with, since several tokens may have
  /// one name, and each its own scopes.
  public var key: String { token.map { "token:\($0)" } ?? label }

  /// As the audit log names them, such as `person:ada`. Names of programs aren't unique.
  public var label: String { "\(kind.rawValue):\(name)" }
}
