/// A right of a principal. A greater scope includes the lesser ones.
public struct Scope: RawRepresentable, Sendable, Hashable {
  public let rawValue: String

  /// Makes a scope. The name may be unknown.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Read everything except secrets.
  public static let read = Scope(rawValue: "read")
  /// Call what modules offer, such as actions, and publish events.
  public static let execute = Scope(rawValue: "execute")
  /// Start, stop and reload.
  public static let operate = Scope(rawValue: "operate")
  /// Change settings, modules, users and tokens, and read the audit log.
  public static let administer = Scope(rawValue: "administer")

  /// All known scopes, the least first.
  public static let all: [Scope] = [.read, .execute, .operate, .administer]

  /// This scope and its lesser ones.
  public var withLesser: Set<Scope> {
    switch self {
    case .administer: [.administer, .operate, .execute, .read]
    case .operate: [.operate, .execute, .read]
    default: [self]
    }
  }
}

/// The role of a user.
public enum Role: String, Sendable, CaseIterable {
  /// May read.
  case viewer
  /// May read, call, start and stop.
  case `operator`
  /// May do everything.
  case administrator

  /// The scopes of the role.
  public var scopes: Set<Scope> {
    switch self {
    case .viewer: Scope.read.withLesser
    case .operator: Scope.operate.withLesser
    case .administrator: Scope.administer.withLesser
    }
  }
}
