internal import Synchronization

/// What is known of the revocation of a token that wasn't reported as stored.
enum RevocationDoubt: Sendable {
  /// There was none.
  case none
  /// Its transaction failed. Most of these aren't stored, so the token is accepted while the database
  /// is read again.
  case suspected
  /// The database has failed, and the revocation may be stored. The token is refused until that is
  /// known.
  case refused
}

/// A revocation whose transaction hasn't ended.
///
/// Rationale: the transaction may be the caller's, and may be stored although it fails. A
/// transaction that fails tells nobody, but releases what waits for its commit. With this object it
/// shows that the tokens must be read again, before the caller gets the error.
final class PendingRevocation: Sendable {
  private let tokens: [String]
  private let moment: Int64
  private let registry: TokenRegistry
  private let isCommitted = Atomic(false)

  /// - Parameters:
  ///   - tokens: the ids of tokens that are revoked once the transaction is durable, by this
  ///     transaction or by a former one.
  ///   - moment: the time of the revocation.
  init(of tokens: [String], at moment: Int64, in registry: TokenRegistry) {
    self.tokens = tokens
    self.moment = moment
    self.registry = registry
  }

  deinit {
    if !isCommitted.load(ordering: .acquiring) { registry.suspect(tokens) }
  }

  /// Revokes the tokens in memory. Called when the transaction is durable.
  func commit() {
    isCommitted.store(true, ordering: .releasing)
    registry.revoked(tokens, at: moment)
  }
}
