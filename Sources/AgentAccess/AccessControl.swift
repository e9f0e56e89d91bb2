public import AgentStore
internal import AgentSystem
internal import Synchronization

/// The access control of one agent: its tokens, its users and its audit log.
///
/// It exists before the database is open, as the API does. Until ``open(_:)`` it refuses every
/// request with `notReady`. Safe from every thread.
public final class AccessControl: Sendable {
  struct Registries {
    let tokens: TokenRegistry
    let users: UserRegistry
    let audit: AuditLog
    let idempotencyKeys: IdempotencyStore
  }

  private enum Phase {
    case starting
    case open(Registries)
    case closed
  }

  private struct State {
    var phase = Phase.starting
    var session: Int64 = 12 * 3_600_000
    var setup: SetupSecret?
    var given: Set<String> = []
    var retention: AuditRetention?
    var refusals = RefusalTally()
  }

  let now: @Sendable () -> Int64
  private let steady: (@Sendable () -> Duration)?
  private let trustsClock: @Sendable () -> Bool
  private let complain: @Sendable (String) -> Void
  private let patience: @Sendable () async throws -> Void
  private let state = Mutex(State())

  /// Makes an access control without users or tokens.
  /// - Parameters:
  ///   - now: Unix milliseconds.
  ///   - steady: a clock that only runs forward, which shows that `now` was set; nil if jumps
  ///     aren't noticed.
  ///   - trustsClock: whether ages may be computed by `now`. While it is false, nothing is removed
  ///     because of its age.
  ///   - patience: returns when an answer shouldn't wait any longer for its line in the audit log.
  ///   - complain: called with a sentence for the host's log when such a line can't be written.
  public init(
    now: @escaping @Sendable () -> Int64,
    steady: (@Sendable () -> Duration)? = nil,
    trustsClock: @escaping @Sendable () -> Bool = { true },
    patience: @escaping @Sendable () async throws -> Void = {
      try await Task.sleep(for: .seconds(2))
    },
    complain: @escaping @Sendable (String) -> Void
  ) {
    (self.now, self.steady) = (now, steady)
    self.trustsClock = trustsClock
    (self.patience, self.complain) = (patience, complain)
  }

  /// Reads users and tokens from a database. Called once.
  public func open(_ store: any Store) async throws {
    let tokens = try await TokenRegistry(store, now: now, trustsClock: trustsClock)
    let users = try await UserRegistry(store, tokens: tokens, now: now, steady: steady)
    let registries = Registries(
      tokens: tokens, users: users, audit: AuditLog(store, now: now),
      idempotencyKeys: IdempotencyStore(
        store, now: now, steady: steady, isTrusted: trustsClock))
    state.withLock { $0.phase = .open(registries) }
  }

  /// The answers to requests with an idempotency key.
  public var idempotencyKeys: IdempotencyStore {
    get throws(AccessError) { try registries.idempotencyKeys }
  }

  /// Writes everything that is only in memory. From then on every request is refused. The caller
  /// closes the database afterwards.
  public func close() async {
    let registries = state.withLock { state -> Registries? in
      defer { state.phase = .closed }
      if case .open(let registries) = state.phase { return registries }
      return nil
    }
    guard let registries else { return }
    await runRetention(registries)
    let entries = state.withLock { $0.refusals.end() }
    for entry in entries { await record(entry, in: registries.audit) }
  }

  /// Whether the database was read. Before that no principal is known.
  public var isOpen: Bool { (try? registries) != nil }

  /// Whether no client can sign in from elsewhere: there is no user and no valid token. True before
  /// ``open(_:)``.
  public var isEmpty: Bool {
    guard let registries = try? registries else { return true }
    return registries.users.isEmpty && registries.tokens.isEmpty
  }

  /// Returns the principal that a token stands for. It reads memory only.
  /// - Parameter bearer: the token, which follows `Bearer ` in the header.
  /// - Throws: `unauthenticated`; `notReady` before ``open(_:)``, and while the disk keeps the host
  ///   from knowing whether the token was revoked.
  public func principal(bearer: some StringProtocol) throws(AccessError) -> Principal {
    try registries.tokens.principal(with: bearer)
  }

  /// Writes a line of the audit log. Returns when the line is durable, or after a limited wait.
  /// After the wait the line is still written. If it can't be written, the host's log gets its
  /// text.
  ///
  /// The first of equal refusals within a minute gets a line of its own. The others become one line
  /// with their count at the end of the minute, so that refused requests can't fill the log.
  public func record(_ entry: AuditLog.Entry) async {
    let audit: AuditLog
    do {
      audit = try registries.audit
    } catch {
      return complain(entry.complaint(error))
    }
    let moment = now()
    let entries = state.withLock { $0.refusals.entries(for: entry, now: moment) }
    for entry in entries { await record(entry, in: audit) }
  }

  private func record(_ entry: AuditLog.Entry, in audit: AuditLog) async {
    // The caller waits for the line or the timer, whichever comes first. A slow disk delays an
    // answer by the timer's time only.
    let answer = FirstAnswer<Void>()
    let timer = Task { [patience] in
      try await patience()
      answer.give(())
    }
    audit.submit(entry) { [complain] result in
      timer.cancel()
      if case .failure(let error) = result { complain(entry.complaint(error)) }
      answer.give(())
    }
    await answer.value
  }

  /// Stores the last use of tokens and the counts of refusals. Removes tokens that ended long ago,
  /// and the excess of the audit log. The host calls it from time to time.
  public func runRetention() async {
    guard let registries = try? registries else { return }
    await runRetention(registries)
    await trim(registries.audit)
  }

  private func runRetention(_ registries: Registries) async {
    do {
      try await registries.tokens.runRetention()
    } catch {
      complain("The last use of tokens couldn't be stored. \(error)")
    }
    let moment = now()
    let entries = state.withLock { $0.refusals.over(now: moment) }
    for entry in entries { await record(entry, in: registries.audit) }
  }

  private func trim(_ audit: AuditLog) async {
    guard let rule = auditRetention else { return }
    do {
      _ = try await audit.trim(rule, trustsClock: trustsClock())
    } catch {
      complain("Old lines of the audit log couldn't be removed. \(error)")
    }
  }

  /// How much of the audit log is kept. Nil means all of it, until the settings are known.
  public var auditRetention: AuditRetention? {
    get { state.withLock(\.retention) }
    set { state.withLock { $0.retention = newValue } }
  }

  /// The lifetime of a sign-in, in milliseconds.
  public var sessionLifetime: Int64 {
    get { state.withLock(\.session) }
    set { state.withLock { $0.session = newValue } }
  }

  /// The names of the users that the settings declare, in lower case.
  var given: Set<String> {
    get { state.withLock(\.given) }
    set { state.withLock { $0.given = newValue } }
  }

  /// The secret for the first administrator. Nil means that a user exists or that no setup was
  /// started.
  var setup: SetupSecret? {
    get { state.withLock(\.setup) }
    set { state.withLock { $0.setup = newValue } }
  }

  /// The registries and logs. Throws `notReady` before ``open(_:)`` and after ``close()``.
  var registries: Registries {
    get throws(AccessError) {
      switch state.withLock(\.phase) {
      case .open(let registries): return registries
      case .starting:
        throw AccessError(.notReady, "The agent is still starting; try again in a moment.")
      case .closed: throw AccessError(.notReady, "The agent is stopping.")
      }
    }
  }
}

extension AccessControl {
  /// Runs work that needs the registries. A database error becomes `notReady`.
  func asked<Value: Sendable>(
    _ body: (Registries) async throws -> Value
  ) async throws(AccessError) -> Value {
    do {
      return try await body(registries)
    } catch let error as AccessError {
      throw error
    } catch {
      throw AccessError(.notReady, "\(error)")
    }
  }
}

extension AuditLog.Entry {
  /// Returns the message for the host's log when the line can't be written. It has the content of
  /// the line.
  fileprivate func complaint(_ error: any Error) -> String {
    "The audit log is missing this entry: \(actor.label) from \(address): \(action) \(target): "
      + "\(outcome). \(error)"
  }
}
