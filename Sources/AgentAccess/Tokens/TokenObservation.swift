internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// Calls an action once when a token ends. The observation ends with this object.
public final class TokenObservation: Sendable {
  private let registry: TokenRegistry
  private let token: String

  /// - Parameter action: called outside of any lock, on any thread. It must not block.
  init(of token: String, in registry: TokenRegistry, _ action: @escaping @Sendable () -> Void) {
    self.registry = registry
    self.token = token
    registry.observe(token, for: ObjectIdentifier(self), action)
  }

  deinit { registry.removeObserver(ObjectIdentifier(self), of: token) }
}

extension TokenRegistry {
  /// Calls `action` once when a token ends, or at once if it has ended.
  func observe(
    _ token: String, for observer: ObjectIdentifier, _ action: @escaping @Sendable () -> Void
  ) {
    let moment = now()
    let row = known.withLock { known -> TokenRow? in
      // The check and the entry are under the lock that a revocation takes, so that no end is
      // missed between them.
      guard let one = known[token], one.row.isValid(at: moment), one.doubt != .refused else {
        return nil
      }
      known[token]?.observers[observer] = action
      return one.row
    }
    guard let row else { return action() }
    if let expires = row.expires { expiry.ring(at: expires, now: moment) }
  }

  func removeObserver(_ observer: ObjectIdentifier, of token: String) {
    // The action is released outside of the lock, because its end may release other observations.
    _ = known.withLock { $0[token]?.observers.removeValue(forKey: observer) }
  }

  /// Calls the observers of expired tokens, and sets the timer for the next observed one.
  func endExpired() {
    let moment = now()
    var next: Int64?
    var actions: [@Sendable () -> Void] = []
    let observed = known.withLock { known in
      known.values.filter { !$0.observers.isEmpty }.map(\.row)
    }
    for row in observed {
      if !row.isValid(at: moment) {
        actions += known.withLock { $0[row.id]?.takeObservers() ?? [] }
      } else if let expires = row.expires {
        next = min(next ?? .max, expires)
      }
    }
    for action in actions { action() }
    if let next { expiry.ring(at: next, now: moment) }
  }
}

extension TokenRow {
  /// Returns whether the token may be used at a moment. A revoked one may not, even if the clock
  /// was set back to before its revocation.
  func isValid(at moment: Int64) -> Bool { revoked == nil && counts(at: moment) }
}
