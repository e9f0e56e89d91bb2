package import AgentStore

/// The lifecycle of a service that works on the store: the task engine, the dispatcher of bots, the
/// scheduler. It opens once and ends once.
package enum ServicePhase: Sendable {
  /// It isn't open yet.
  case starting
  /// Safe mode: calls may read and remove what is stored. Nothing else is done.
  case safe(any Store)
  /// Calls are answered, and work begins.
  case running(any Store)
  /// The host ends: nothing begins any more, and what ends is still stored.
  case stopping(any Store)
  case ended

  /// What happens to a service.
  package enum Event: Sendable {
    case open(any Store)
    case openSafely(any Store)
    /// The host ends.
    case stop
    /// All that was begun has ended, and is stored.
    case end
  }

  /// Applies an event.
  /// - Returns: false if this phase doesn't allow it. Nothing changes then.
  package mutating func apply(_ event: Event) -> Bool {
    switch (self, event) {
    case (.starting, .open(let store)): self = .running(store)
    case (.starting, .openSafely(let store)): self = .safe(store)
    case (.running(let store), .stop): self = .stopping(store)
    case (.starting, .stop), (.safe, .stop), (.stopping, .end): self = .ended
    case (.safe, _), (.running, _), (.stopping, _), (.ended, _), (.starting, .end): return false
    }
    return true
  }

  /// The store while calls are answered; nil otherwise.
  package var runningStore: (any Store)? {
    if case .running(let store) = self { store } else { nil }
  }

  /// The store while something may be written: until the service has ended.
  package var openStore: (any Store)? {
    switch self {
    case .running(let store), .stopping(let store): store
    case .starting, .safe, .ended: nil
    }
  }

  /// The store of safe mode; nil in every other phase.
  package var safeStore: (any Store)? {
    if case .safe(let store) = self { store } else { nil }
  }

  /// Whether nothing begins any more.
  package var isStopping: Bool {
    switch self {
    case .stopping, .ended: true
    case .starting, .safe, .running: false
    }
  }
}
