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
    var doubt = RevocationDoubt.none
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
  let reconciler: Reconciler

  /// Reads the tokens of the store.
  /// - Parameters:
  ///   - pause: waits for a duration, until a token expires or the database is read again.
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
    reconciler = Reconciler(store, now: now, pause: pause)
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
    reconciler.start { [weak self] transaction in
      let rows = try transaction.tokens.tokens()
      return { [weak self] in self?.reconcile(with: rows) }
    } failed: { [weak self] in
      self?.refuseSuspected()
    }
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
    do {
      try await store.write { transaction in
        try check(transaction)
        try transaction.tokens.insert(row)
        transaction.afterCommit {
          // Memory follows the commit. A token of a failed transaction must never be valid.
          self.known.withLock { $0[row.id] = Known(row: row, principal: row.principal) }
        }
      }
    } catch {
      reconciler.doubt(after: error)
      throw error
    }
    return (row, text.text)
  }

  /// Revokes a token. Returns whether it was valid.
  ///
  /// If the database fails, the token is refused until what is stored is known.
  public func revoke(_ id: String) async throws -> Bool {
    do {
      return try await store.write { try self.revoke([id], in: $0) } > 0
    } catch {
      // Also without a transaction: the database fails already, and refuses to begin one.
      if (error as? StoreError)?.isDoubtful == true {
        suspect([id])
        refuseSuspected()
      }
      throw error
    }
  }

  /// Revokes all tokens of a subject, in the caller's transaction.
  func revoke(
    allOf kind: Principal.Kind, _ subject: String, in transaction: any StoreTransaction
  ) throws {
    let rows = try transaction.tokens.tokens()
    let ids = rows.filter { $0.kind == kind.rawValue && $0.subject == subject }.map(\.id)
    _ = try revoke(ids, in: transaction)
  }

  /// Returns the number of tokens that weren't revoked before.
  private func revoke(_ ids: [String], in transaction: any StoreTransaction) throws -> Int {
    guard !ids.isEmpty else { return 0 }
    let moment = now()
    let revoked = try ids.filter { try transaction.tokens.revoke($0, now: moment) }
    // All and not only `revoked`: a former write that failed may have revoked the others.
    let pending = PendingRevocation(of: ids, at: moment, in: self)
    transaction.afterCommit { pending.commit() }
    return revoked.count
  }

  /// Revokes tokens in memory, and ends their requests. Called when that is stored.
  func revoked(_ ids: [String], at moment: Int64) {
    end(ids) { $0.row.revoked = $0.row.revoked ?? moment }
  }

  /// Reads again whether tokens are revoked, because a transaction that was to revoke them failed.
  func suspect(_ ids: [String]) {
    known.withLock { known in
      for id in ids where known[id]?.doubt == RevocationDoubt.none {
        known[id]?.doubt = .suspected
      }
    }
    reconciler.doubt()
  }

  /// Refuses the tokens whose revocation failed and may be stored, and ends their requests. Called
  /// when the database has failed or doesn't answer. Once it answers, what is stored counts.
  func refuseSuspected() {
    end(known.withLock { $0.values.filter { $0.doubt == .suspected }.map(\.row.id) }) {
      $0.doubt = .refused
    }
  }

  private func end(_ ids: [String], _ change: (inout Known) -> Void) {
    let actions = known.withLock { known in
      ids.flatMap { id -> [@Sendable () -> Void] in
        guard var one = known[id] else { return [] }
        change(&one)
        defer { known[id] = one }
        return one.takeObservers()
      }
    }
    for action in actions { action() }
  }

  /// Replaces the tokens in memory by the stored ones, and ends the requests of those that are
  /// revoked or gone.
  private func reconcile(with rows: [TokenRow]) {
    let actions = known.withLock { known in
      var former = known
      known = [:]
      for row in rows {
        var one = former.removeValue(forKey: row.id) ?? Known(row: row, principal: row.principal)
        (one.row.revoked, one.doubt) = (row.revoked, .none)
        known[row.id] = one
      }
      var actions = former.values.flatMap(\.observers.values)
      for row in rows where row.revoked != nil {
        actions += known[row.id]?.takeObservers() ?? []
      }
      return actions
    }
    for action in actions { action() }
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
    if one.doubt == .refused {
      throw AccessError(
        .notReady,
        "The disk has failed, so it isn't known whether this token was revoked; try again in a "
          + "moment.")
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
