/// What somebody may do, in a word. Greater ones bring lesser ones with them.
public struct Scope: RawRepresentable, Sendable, Hashable {
  /// The word.
  public let rawValue: String

  /// Makes one, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Look at everything but secrets.
  public static let read = Scope(rawValue: "read")
  /// Call what modules offer: actions, questions, events.
  public static let execute = Scope(rawValue: "execute")
  /// Start, stop, reload.
  public static let operate = Scope(rawValue: "operate")
  /// Settings, modules, users, tokens, the audit log.
  public static let administer = Scope(rawValue: "administer")

  /// All there are, the least first.
  public static let all: [Scope] = [.read, .execute, .operate, .administer]

  /// This one and those that it brings.
  public var withLesser: Set<Scope> {
    switch self {
    case .administer: [.administer, .operate, .execute, .read]
    case .operate: [.operate, .execute, .read]
    default: [self]
    }
  }
}

/// What a user is.
public enum Role: String, Sendable, CaseIterable {
  /// Looks.
  case viewer
  /// Looks, calls, starts and stops.
  case `operator`
  /// Everything.
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
