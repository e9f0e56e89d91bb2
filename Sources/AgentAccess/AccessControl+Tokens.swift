public import AgentJSON
public import AgentStore

/// Lists, creates and revokes tokens. docs/access.md has the shapes.
extension AccessControl {
  /// Returns the valid tokens, or all stored tokens, under the key `tokens`.
  public func tokens(all: Bool = false) throws(AccessError) -> JSONValue {
    let moment = now()
    let rows = try registries.tokens.all.filter { all || $0.counts(at: moment) }
    return ["tokens": .array(rows.map { .object($0.json(at: moment)) })]
  }

  /// Creates a token. Returns the members of the list, and the text as `token`. The text isn't
  /// stored and can't be read again.
  /// - Parameters:
  ///   - user: the user of the token. The token ends when the user's role or password changes.
  ///   - bot: the bot of the token. A token has a user or a bot, not both.
  ///   - lifetime: the lifetime in milliseconds. Nil means that the token doesn't expire.
  ///   - maker: the principal that asks for the token. Nil means a process that can write the
  ///     database. A principal can't create a token with more scopes than its own. A bot can't
  ///     create any token, because the token would outlive the bot.
  public func createToken(
    _ name: String, scopes: [String], user: String? = nil, bot: String? = nil,
    lifetime: Int64? = nil, by maker: Principal? = nil
  ) async throws(AccessError) -> JSONValue {
    try maker?.check(making: scopes)
    guard user == nil || bot == nil else {
      throw AccessError(.invalid, "A token is for a user or for a bot, not for both.")
    }
    guard name != TokenRegistry.session else {
      throw AccessError(.invalid, "\"\(name)\" is the name of sign-in tokens. Choose another name.")
    }
    var order = TokenOrder(
      name: name, kind: bot == nil ? .program : .bot, subject: bot ?? "",
      scopes: Set(scopes.map(Scope.init(rawValue:))), lifetime: lifetime)
    try order.check()
    return try await asked { registries in
      if let user {
        order.kind = .person
        order.subject = try registries.users.user(user).name
      }
      let (row, text) = try await registries.tokens.create(order) { [order] transaction in
        guard order.kind == .person else { return }
        try registries.users.user(order.subject, in: transaction).check(order.scopes)
      }
      var answer = row.json(at: now())
      answer["token"] = .string(text)
      return .object(answer)
    }
  }

  /// Revokes all tokens of a bot in the transaction that removes the bot. A bot that isn't
  /// registered has no access.
  public func revokeTokens(
    ofBot id: String, in transaction: any StoreTransaction
  ) throws {
    try registries.tokens.revoke(allOf: .bot, id, in: transaction)
  }

  /// Revokes a token. Returns its `id`.
  public func revokeToken(_ id: String) async throws(AccessError) -> JSONValue {
    let isRevoked = try await asked { try await $0.tokens.revoke(id) }
    guard isRevoked else {
      throw AccessError(
        .missing, "There is no active token \"\(id)\"; agent token list shows the ids.")
    }
    return ["id": .string(id)]
  }

  /// Observes the token of a principal. A request that goes on for a while asks for this, because
  /// its token was checked only when it began.
  /// - Parameter action: called once when the token is revoked or expires, or at once if that has
  ///   happened. It comes on any thread and must not block.
  /// - Returns: the observation, which ends when it is released. Nil means that the principal has
  ///   no token, such as the socket's, so nothing can end it.
  public func observeToken(
    of principal: Principal, ended action: @escaping @Sendable () -> Void
  ) throws(AccessError) -> TokenObservation? {
    guard let token = principal.token else { return nil }
    let tokens = try registries.tokens
    return TokenObservation(of: token, in: tokens, action)
  }
}

extension TokenRow {
  func json(at moment: Int64) -> JSONObject {
    let state =
      revoked != nil ? "revoked" : counts(at: moment) ? "active" : "expired"
    return [
      "id": .string(id), "name": .string(name), "kind": .string(kind),
      "subject": .string(subject), "scopes": .array(scopes.map { .string($0) }),
      "state": .string(state), "created": JSONValue(created),
      "expires": expires.map { JSONValue($0) } ?? .null,
      "revoked": revoked.map { JSONValue($0) } ?? .null,
      "used": used.map { JSONValue($0) } ?? .null,
    ]
  }
}

extension Principal {
  fileprivate func check(making scopes: [String]) throws(AccessError) {
    if kind == .bot {
      throw AccessError(.forbidden, "\(label) may not do this. A bot creates no tokens.")
    }
    guard let more = scopes.first(where: { !may(Scope(rawValue: $0)) }) else { return }
    // A text that isn't a scope is refused later, with a message that says so.
    guard Scope.all.contains(Scope(rawValue: more)) else { return }
    throw AccessError(
      .forbidden,
      "\(label) may not do this. Only a holder of the scope \"\(more)\" creates a token with it.")
  }
}

extension UserRow {
  /// - Throws: `invalid` if the user lacks one of the scopes.
  fileprivate func check(_ scopes: Set<Scope>) throws(AccessError) {
    let mine = Role(rawValue: role)?.scopes ?? []
    guard let most = Scope.all.last(where: { scopes.contains($0) && !mine.contains($0) }) else {
      return
    }
    throw AccessError(
      .invalid, "\(name) is \(role == "viewer" ? "a" : "an") \(role), who may not \(most.rawValue)."
    )
  }
}
