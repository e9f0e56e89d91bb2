public import AgentStore
internal import AgentSystem
internal import Synchronization

/// The access control of one agent: its tokens, its users and its audit log.
///
/// It exists before the database is open, as the API does. Until ``open(_:)`` it refuses every
/// request with `notReady`. Safe from every thread.
public final class AccessControl: Sendable {
  struct Books {
    let tokens: TokenRegistry
    let users: UserRegistry
    let audit: AuditLog
    let replies: IdempotencyStore
  }

  private enum Phase {
    case starting
    case open(Books)
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
  private let complain: @Sendable (String) -> Void
  private let patience: @Sendable () async throws -> Void
  private let state = Mutex(State())

  /// Makes an access control without users or tokens.
  /// - Parameters:
  ///   - patience: returns when an answer shouldn't wait any longer for its line in the audit log.
  ///   - complain: called with a sentence for the log when such a line can't be written.
  public init(
    now: @escaping @Sendable () -> Int64,
    patience: @escaping @Sendable () async throws -> Void = {
      try await Task.sleep(for: .seconds(2))
    },
    complain: @escaping @Sendable (String) -> Void
  ) {
    (self.now, self.patience, self.complain) = (now, patience, complain)
  }

  /// Reads who is known from a database. Called once.
  public func open(_ store: any Store) async throws {
    let tokens = try await TokenRegistry(store, now: now)
    let users = try await UserRegistry(store, tokens: tokens, now: now)
    let books = Books(
      tokens: tokens, users: users, audit: AuditLog(store, now: now),
      replies: IdempotencyStore(store, now: now))
    state.withLock { $0.phase = .open(books) }
  }

  /// What was answered to requests that may be sent again.
  public var replies: IdempotencyStore {
    get throws(AccessError) { try books.replies }
  }

  /// Writes down what is known only here; afterwards nobody is known. The database is still open.
  public func close() async {
    let books = state.withLock { state -> Books? in
      defer { state.phase = .closed }
      if case .open(let books) = state.phase { return books }
      return nil
    }
    guard let books else { return }
    await tend(books)
    let entries = state.withLock { $0.refusals.end() }
    for entry in entries { await record(entry, in: books.audit) }
  }

  /// Whether the database was read, so that somebody can be known.
  public var isOpen: Bool { (try? books) != nil }

  /// Whether nobody could come in from elsewhere: there is no user, and no token that counts. Also
  /// before ``open(_:)``.
  public var isEmpty: Bool {
    guard let books = try? books else { return true }
    return books.users.isEmpty && books.tokens.isEmpty
  }

  /// Returns the principal that a token stands for. It reads memory only.
  /// - Parameter bearer: the token, as it follows `Bearer `.
  /// - Throws: `unauthenticated`, or `notReady` before ``open(_:)``.
  public func principal(bearer: some StringProtocol) throws(AccessError) -> Principal {
    try books.tokens.principal(with: bearer)
  }

  /// Writes a line of the audit log. Returns when it is durable; when that takes too long it is
  /// still written, and when it can't be the agent's own log says so.
  ///
  /// The first of equal refusals within a minute gets a line of its own. The others become one line
  /// with their count at the end of the minute, so that refused requests can't fill the log.
  public func record(_ entry: AuditLog.Entry) async {
    let audit: AuditLog
    do {
      audit = try books.audit
    } catch {
      return complain(entry.complaint(error))
    }
    let moment = now()
    let entries = state.withLock { $0.refusals.entries(for: entry, now: moment) }
    for entry in entries { await record(entry, in: audit) }
  }

  private func record(_ entry: AuditLog.Entry, in audit: AuditLog) async {
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

  /// Writes down when tokens were used last and how many refusals there were, forgets tokens that
  /// ended long ago, and cuts off what the audit log has too much. Called now and then.
  public func tend() async {
    guard let books = try? books else { return }
    await tend(books)
    await trim(books.audit)
  }

  private func tend(_ books: Books) async {
    do {
      try await books.tokens.tend()
    } catch {
      complain("The last use of tokens couldn't be stored. \(error)")
    }
    let moment = now()
    let entries = state.withLock { $0.refusals.over(now: moment) }
    for entry in entries { await record(entry, in: books.audit) }
  }

  private func trim(_ audit: AuditLog) async {
    guard let rule = auditRetention else { return }
    do {
      _ = try await audit.trim(rule)
    } catch {
      complain("Old lines of the audit log couldn't be removed. \(error)")
    }
  }

  /// How much of the audit log is kept; nil while nobody has said, and all of it is.
  public var auditRetention: AuditRetention? {
    get { state.withLock(\.retention) }
    set { state.withLock { $0.retention = newValue } }
  }

  /// How long who signs in stays signed in, in milliseconds.
  public var sessionLifetime: Int64 {
    get { state.withLock(\.session) }
    set { state.withLock { $0.session = newValue } }
  }

  /// The names, in small letters, of users whom the settings give.
  var given: Set<String> {
    get { state.withLock(\.given) }
    set { state.withLock { $0.given = newValue } }
  }

  /// What makes the first administrator, while there is no user.
  var setup: SetupSecret? {
    get { state.withLock(\.setup) }
    set { state.withLock { $0.setup = newValue } }
  }

  /// The registries and logs after ``open(_:)``.
  var books: Books {
    get throws(AccessError) {
      switch state.withLock(\.phase) {
      case .open(let books): return books
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
    _ body: (Books) async throws -> Value
  ) async throws(AccessError) -> Value {
    do {
      return try await body(books)
    } catch let error as AccessError {
      throw error
    } catch {
      throw AccessError(.notReady, "\(error)")
    }
  }
}

extension AuditLog.Entry {
  /// What the agent's log says when the line can't be written: all that it would have said.
  fileprivate func complaint(_ error: any Error) -> String {
    "The audit log is missing this entry: \(actor.label) from \(address): \(action) \(target): "
      + "\(outcome). \(error)"
  }
}
