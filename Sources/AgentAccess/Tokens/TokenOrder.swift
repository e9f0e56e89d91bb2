/// The properties of a new token.
public struct TokenOrder: Sendable {
  public var name: String
  /// The kind of principal that the token stands for.
  public var kind: Principal.Kind
  /// The name of the user, program or bot. If it is empty, the token's name is used.
  public var subject: String
  /// The scopes of the token.
  public var scopes: Set<Scope>
  /// The lifetime in milliseconds. Nil means that the token doesn't expire.
  public var lifetime: Int64?

  public init(
    name: String, kind: Principal.Kind = .program, subject: String = "", scopes: Set<Scope>,
    lifetime: Int64? = nil
  ) {
    self.name = name
    self.kind = kind
    self.subject = subject
    self.scopes = scopes
    self.lifetime = lifetime
  }

  /// - Throws: `invalid`, with every fault of the order.
  func check() throws(AccessError) {
    guard Self.isName(name) else {
      throw AccessError(
        .invalid,
        "A token's name says its purpose: 1 to 200 bytes without control characters.")
    }
    guard subject.isEmpty || Self.isName(subject) else {
      throw AccessError(
        .invalid, "A token's \(kind.rawValue) has 1 to 200 bytes without control characters.")
    }
    guard !scopes.isEmpty else {
      throw AccessError(.invalid, "A token needs a scope: \(Scope.list).")
    }
    if let unknown = scopes.first(where: { !Scope.all.contains($0) }) {
      throw AccessError(
        .invalid, "There is no scope \"\(unknown.rawValue)\". The scopes are \(Scope.list).")
    }
    if let lifetime, lifetime <= 0 {
      throw AccessError(.invalid, "A token's lifetime must be more than 0.")
    }
  }

  private static func isName(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

extension Scope {
  /// All names in one text, for messages.
  static var list: String { all.map(\.rawValue).joined(separator: ", ") }
}
