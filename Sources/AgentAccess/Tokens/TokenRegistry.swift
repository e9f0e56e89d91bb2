public import AgentStore
internal import AgentSystem
internal import Synchronization

/// The registry of tokens. The text of a token is shown once, when it is created. Requests are
/// checked against memory only.
public final class TokenRegistry: Sendable {
  /// The name of every sign-in token. No other token may have it.
  static let session = "session"
  /// How long ended tokens are listed, in milliseconds. Ended sign-ins aren't listed.
  private static let remembrance: Int64 = 30 * 24 * 3_600_000
  private static let minute: Int64 = 60_000

  struct Known {
    var row: TokenRow
    let principal: Principal
    var used: Int64?
    /// The actions that end the open requests of the token.
    var observers: [ObjectIdentifier: @Sendable () -> Void] = [:]

    /// Removes the observers. The caller calls them outside of the lock.
    mutating func takeObservers() -> [@Sendable () -> Void] {
      defer { observers = [:] }
      return Array(observers.values)
    }
  }

  private let store: any Store
  let now: @Sendable () -> Int64
  private let trustsClock: @Sendable () -> Bool
  let known = Mutex<[String: Known]>([:])
  /// Wakes ``endExpired()`` when an observed token expires.
  let expiry: WakeTimer
  private let loop = Mutex<Task<Void, Never>?>(nil)

  /// Reads the tokens of the store.
  /// - Parameters:
  ///   - pause: waits for a duration, until a token expires.
  ///   - trustsClock: whether ages may be computed by `now`. While it is false, tokens end, but
  ///     none is removed.
  public init(
    _ store: any Store, now: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    trustsClock: @escaping @Sendable () -> Bool = { true }
  ) async throws {
    self.store = store
    self.now = now
    self.trustsClock = trustsClock
    expiry = WakeTimer(pause: pause)
    let rows = try await store.read { try $0.tokens.tokens() }
    known.withLock { known in
      for row in rows { known[row.id] = Known(row: row, principal: row.principal) }
    }
    try await forget()
    // The reference is weak, because the loop ends with the registry.
    let task = Task { [weak self, rings = expiry.rings] in
      for await _ in rings { self?.endExpired() }
    }
    loop.withLock { $0 = task }
  }

  deinit { loop.withLock { $0?.cancel() } }

  /// Whether no token is valid.
  public var isEmpty: Bool {
    let moment = now()
    return known.withLock { !$0.values.contains { $0.row.counts(at: moment) } }
  }

  /// All tokens, the newest first.
  public var all: [TokenRow] {
    known.withLock { known in
      known.values.map { one in
        var row = one.row
        row.used = one.used ?? row.used
        return row
      }
    }.sorted { ($0.created, $0.id) > ($1.created, $1.id) }
  }

  /// Creates a token. Its text can't be read again later.
  /// - Parameter check: runs in the transaction that stores the token. An error undoes the
  ///   transaction.
  func create(
    _ order: TokenOrder,
    _ check: @escaping @Sendable (any StoreTransaction) throws -> Void = { _ in }
  ) async throws -> (row: TokenRow, text: String) {
    try order.check()
    let (text, moment) = (TokenText(), now())
    let end = order.lifetime.map { moment.addingReportingOverflow($0) }
    let row = TokenRow(
      id: text.id, name: order.name, kind: order.kind.rawValue,
      subject: order.subject.isEmpty ? order.name : order.subject,
      scopes: order.scopes.map(\.rawValue).sorted(), digest: text.digest, created: moment,
      expires: end.map { $0.overflow ? .max : $0.partialValue })
    try await store.write { transaction in
      try check(transaction)
      try transaction.tokens.insert(row)
      transaction.afterCommit {
        // Memory follows the commit. A token of a failed transaction must never be valid.
        self.known.withLock { $0[row.id] = Known(row: row, principal: row.principal) }
      }
    }
    return (row, text.text)
  }

  /// Revokes a token. Returns whether it was valid.
  public func revoke(_ id: String) async throws -> Bool {
    try await store.write { try self.revoke([id], in: $0) } > 0
  }

  /// Revokes all tokens of a subject, in the caller's transaction.
  func revoke(
    allOf kind: Principal.Kind, _ subject: String, in transaction: any StoreTransaction
  ) throws {
    let rows = try transaction.tokens.tokens()
    let ids = rows.filter {
      $0.kind == kind.rawValue && $0.subject == subject && $0.revoked == nil
    }
    _ = try revoke(ids.map(\.id), in: transaction)
  }

  private func revoke(_ ids: [String], in transaction: any StoreTransaction) throws -> Int {
    let moment = now()
    let revoked = try ids.filter { try transaction.tokens.revoke($0, now: moment) }
    transaction.afterCommit { [self] in
      let actions = known.withLock { known in
        revoked.flatMap { id -> [@Sendable () -> Void] in
          known[id]?.row.revoked = moment
          return known[id]?.takeObservers() ?? []
        }
      }
      for action in actions { action() }
    }
    return revoked.count
  }

  /// Returns the principal that a token stands for.
  public func principal(with text: some StringProtocol) throws(AccessError) -> Principal {
    let moment = now()
    guard let token = TokenText(parsing: text),
      let one = known(token.id, digest: token.digest, at: moment)
    else {
      throw AccessError(.unauthenticated, "This token doesn't belong to this agent.")
    }
    if one.row.revoked != nil {
      throw AccessError(.unauthenticated, "This token was revoked.")
    }
    guard one.row.counts(at: moment) else {
      throw AccessError(.unauthenticated, "This token has expired.")
    }
    return one.principal
  }

  private func known(_ id: String, digest: [UInt8], at moment: Int64) -> Known? {
    known.withLock { known in
      guard let one = known[id], Digest.areEqual(one.row.digest, digest) else { return nil }
      // The time is rounded to minutes, so that `tend()` writes a busy token once a minute.
      known[id]?.used = moment.subtracting(moment % Self.minute)
      return one
    }
  }

  /// Stores the last use of tokens, and removes tokens that ended long ago. Called from time to
  /// time, and when the host stops.
  public func runRetention() async throws {
    let used = known.withLock { known in
      known.compactMapValues { $0.used == $0.row.used ? nil : $0.used }
    }
    if !used.isEmpty {
      try await store.write { try $0.tokens.used(used) }
      known.withLock { known in for (id, moment) in used { known[id]?.row.used = moment } }
    }
    try await forget()
  }

  private func forget() async throws {
    // Before their rows are gone: the timer looks only once a minute if the clock was set.
    endExpired()
    // A token that a wrong clock has ended is valid again once the clock is right.
    guard trustsClock() else { return }
    let moment = now()
    let ids = known.withLock { known in
      known.values.filter { one in
        one.row.ended.map { $0 < moment.subtracting(one.row.isSession ? 0 : Self.remembrance) }
          ?? false
      }.map(\.row.id)
    }
    guard !ids.isEmpty else { return }
    try await store.write { try $0.tokens.remove(ids) }
    known.withLock { known in for id in ids { known[id] = nil } }
  }
}

extension TokenRow {
  /// Returns whether the token is valid at a moment.
  public func counts(at moment: Int64) -> Bool { (ended ?? .max) > moment }

  /// Whether a sign-in created the token.
  public var isSession: Bool {
    name == TokenRegistry.session && kind == Principal.Kind.person.rawValue
  }

  /// The time when the token ends or has ended. Nil means that it doesn't end.
  fileprivate var ended: Int64? {
    guard let revoked else { return expires }
    return min(revoked, expires ?? .max)
  }

  fileprivate var principal: Principal {
    Principal(
      kind: Principal.Kind(rawValue: kind) ?? .program, name: subject,
      scopes: scopes.map(Scope.init(rawValue:)), token: id)
  }
}
