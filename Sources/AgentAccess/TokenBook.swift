public import AgentStore
internal import Synchronization

/// The tokens: made once, shown once, recognized from memory.
public final class TokenBook: Sendable {
  /// What a new token shall be.
  public struct Order: Sendable {
    /// What it is for.
    public var name: String
    /// Who it stands for.
    public var kind: Principal.Kind
    /// The user, program or bot; the name when empty.
    public var subject: String
    /// What it allows.
    public var scopes: Set<Scope>
    /// How long it lasts, in milliseconds; nil for one that doesn't end.
    public var lifetime: Int64?

    /// Makes an order.
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
  }

  /// Ended tokens are listed for so long.
  private static let remembrance: Int64 = 30 * 24 * 3_600_000
  private static let minute: Int64 = 60_000

  private struct State {
    var tokens: [String: TokenRow] = [:]
    var used: [String: Int64] = [:]
  }

  private let store: any Store
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  /// Reads what the store has.
  public init(_ store: any Store, now: @escaping @Sendable () -> Int64) async throws {
    self.store = store
    self.now = now
    let ended = now() - Self.remembrance
    let rows = try await store.read { try $0.tokens.tokens() }
    state.withLock { state in
      for row in rows where row.isListed(since: ended) { state.tokens[row.id] = row }
    }
    if rows.contains(where: { !$0.isListed(since: ended) }) {
      try await store.write { try $0.tokens.remove(endedBefore: ended) }
    }
  }

  /// Whether there is one that counts.
  public var isEmpty: Bool {
    let moment = now()
    return state.withLock { !$0.tokens.values.contains { $0.counts(at: moment) } }
  }

  /// All, the newest first.
  public var all: [TokenRow] {
    state.withLock { state in
      state.tokens.values.map { row in
        var row = row
        row.used = max(row.used ?? 0, state.used[row.id] ?? 0)
        if row.used == 0 { row.used = nil }
        return row
      }
    }.sorted { ($0.created, $0.id) > ($1.created, $1.id) }
  }

  /// Makes a token. Its text can't be had again.
  public func create(_ order: Order) async throws -> (row: TokenRow, text: String) {
    let name = order.name
    guard !name.isEmpty, name.utf8.count <= 200, !name.unicodeScalars.contains(where: \.isControl)
    else {
      throw AccessError(.invalid, "A token needs a name: what it is for, in 1 to 200 bytes.")
    }
    guard !order.scopes.isEmpty else {
      throw AccessError(.invalid, "A token needs a scope: \(Scope.list).")
    }
    if let unknown = order.scopes.first(where: { !Scope.all.contains($0) }) {
      throw AccessError(
        .invalid, "There is no scope \"\(unknown.rawValue)\"; there are \(Scope.list).")
    }
    if let lifetime = order.lifetime, lifetime <= 0 {
      throw AccessError(.invalid, "A token lasts longer than no time.")
    }
    let (text, moment) = (TokenText(), now())
    let row = TokenRow(
      id: text.id, name: name, kind: order.kind.rawValue,
      subject: order.subject.isEmpty ? name : order.subject,
      scopes: order.scopes.map(\.rawValue).sorted(), digest: text.digest, created: moment,
      expires: order.lifetime.map { moment.addingReportingOverflow($0).partialValue })
    try await store.write { try $0.tokens.insert(row) }
    state.withLock { $0.tokens[row.id] = row }
    return (row, text.text)
  }

  /// Ends a token now; returns whether it counted until then.
  public func revoke(_ id: String) async throws -> Bool {
    let moment = now()
    let isRevoked = try await store.write { try $0.tokens.revoke(id, now: moment) }
    if isRevoked { state.withLock { $0.tokens[id]?.revoked = moment } }
    return isRevoked
  }

  /// Ends all tokens of a subject.
  public func revoke(allOf kind: Principal.Kind, _ subject: String) async throws {
    let ids = state.withLock { state in
      state.tokens.values.filter { $0.kind == kind.rawValue && $0.subject == subject }.map(\.id)
    }
    for id in ids { _ = try await revoke(id) }
  }

  /// Who has this token.
  public func principal(with text: some StringProtocol) throws(AccessError) -> Principal {
    let moment = now()
    guard let token = TokenText(parsing: text), let row = row(token.id, at: moment),
      Digest.areEqual(row.digest, token.digest)
    else {
      throw AccessError(.unauthenticated, "This token isn't one of this agent's.")
    }
    if row.revoked != nil {
      throw AccessError(.unauthenticated, "This token was revoked.")
    }
    guard row.counts(at: moment) else {
      throw AccessError(.unauthenticated, "This token has expired.")
    }
    return Principal(
      kind: Principal.Kind(rawValue: row.kind) ?? .program, name: row.subject,
      scopes: row.scopes.map(Scope.init(rawValue:)), token: row.id)
  }

  private func row(_ id: String, at moment: Int64) -> TokenRow? {
    state.withLock { state in
      guard let row = state.tokens[id] else { return nil }
      state.used[id] = moment - moment % Self.minute
      return row
    }
  }

  /// Writes down when tokens were last used; now and then, and at the end.
  public func writeUse() async throws {
    let used = state.withLock { state in
      defer {
        for (id, moment) in state.used { state.tokens[id]?.used = moment }
        state.used = [:]
      }
      return state.used.filter { state.tokens[$0.key]?.used != $0.value }
    }
    if !used.isEmpty { try await store.write { try $0.tokens.used(used) } }
  }
}

extension TokenRow {
  /// Whether it opens anything at a moment.
  public func counts(at moment: Int64) -> Bool {
    revoked == nil && (expires ?? .max) > moment
  }

  /// Whether it counts, or has counted at or after a moment.
  fileprivate func isListed(since moment: Int64) -> Bool {
    min(revoked ?? .max, expires ?? .max) >= moment
  }
}

extension Scope {
  static var list: String { all.map(\.rawValue).joined(separator: ", ") }
}

extension Unicode.Scalar {
  /// Whether it is a control character.
  var isControl: Bool { properties.generalCategory == .control }
}
