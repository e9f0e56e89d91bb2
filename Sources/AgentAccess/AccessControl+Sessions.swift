public import AgentJSON
internal import AgentStore

/// Signing in and out. docs/access.md has the shapes.
extension AccessControl {
  /// The maximum number of sessions of one user. A new session ends the oldest.
  private static let maxSessions = 64

  /// Signs a user in with a password. Returns `token`, `expires` and the members of ``whoIs(_:)``.
  /// The token expires by itself.
  /// - Parameter network: the network that failed attempts are counted by. Frequent failures cause
  ///   a wait.
  public func signIn(
    _ name: String, password: String, from network: String
  ) async throws(AccessError) -> JSONValue {
    try await asked { registries in
      let user = try await registries.users.user(name, password: password, from: network)
      // Sessions are limited after the password was compared. Otherwise anybody could end a user's
      // sessions.
      try await limitSessions(of: user.name, registries)
      let order = TokenOrder(
        name: TokenRegistry.session, kind: .person, subject: user.name,
        scopes: Role(rawValue: user.role)?.scopes ?? [], lifetime: sessionLifetime)
      let (row, text) = try await registries.tokens.create(order) { transaction in
        // The role or the password may have changed since the password was compared.
        guard try registries.users.user(user.name, in: transaction) == user else {
          throw AccessError(.unauthenticated, "The name or the password is wrong.")
        }
      }
      var answer: JSONObject = [
        "token": .string(text), "expires": row.expires.map { JSONValue($0) } ?? .null,
      ]
      let principal = try registries.tokens.principal(with: text)
      for (key, value) in try whoIs(principal).object ?? [:] { answer[key] = value }
      return .object(answer)
    }
  }

  /// Describes a principal: `kind`, `name`, `scopes`, and the `role` of a user.
  public func whoIs(_ principal: Principal) throws(AccessError) -> JSONValue {
    let registries = try registries
    let role = principal.kind == .person ? try? registries.users.user(principal.name).role : nil
    return [
      "kind": .string(principal.kind.rawValue), "name": .string(principal.name),
      "role": role.map { .string($0) } ?? .null,
      "scopes": .array(Scope.all.filter(principal.may).map { .string($0.rawValue) }),
    ]
  }

  /// Revokes the token of the request.
  public func signOut(_ principal: Principal) async throws(AccessError) {
    guard let token = principal.token else {
      throw AccessError(.conflict, "This request has no token, so there is none to revoke.")
    }
    _ = try await asked { try await $0.tokens.revoke(token) }
  }

  private func limitSessions(of name: String, _ registries: Registries) async throws {
    let moment = now()
    let sessions = registries.tokens.all.filter {
      $0.isSession && $0.subject == name && $0.counts(at: moment)
    }
    for row in sessions.dropFirst(Self.maxSessions - 1) {
      _ = try await registries.tokens.revoke(row.id)
    }
  }
}
