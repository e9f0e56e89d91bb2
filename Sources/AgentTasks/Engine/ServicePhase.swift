package import AgentStore

/// The lifecycle of a service that works on the store: the task engine, the dispatcher or the
/// scheduler. It opens once and ends once.
package enum ServicePhase: Sendable {
  /// It isn't open yet.
  case starting
  /// In safe mode. Calls may read and remove rows. Nothing else is done.
  case safe(any Store)
  /// Calls are accepted, and work begins.
  case running(any Store)
  /// The host ends. No work begins any more, but results are still stored.
  case stopping(any Store)
  case ended

  /// The events of a service.
  package enum Event: Sendable {
    case open(any Store)
    case openSafely(any Store)
    /// The host begins to end.
    case stop
    /// All work has ended and its results are stored.
    case end
  }

  /// Applies an event.
  /// - Returns: false if this phase doesn't allow the event. Then the phase is unchanged.
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

  /// The store while calls are accepted, else `nil`.
  package var runningStore: (any Store)? {
    if case .running(let store) = self { store } else { nil }
  }

  /// The store while results may be written: until the service has ended.
  package var openStore: (any Store)? {
    switch self {
    case .running(let store), .stopping(let store): store
    case .starting, .safe, .ended: nil
    }
  }

  /// The store in safe mode, else `nil`.
  package var safeStore: (any Store)? {
    if case .safe(let store) = self { store } else { nil }
  }

  /// Whether no work begins any more.
  package var isStopping: Bool {
    switch self {
    case .stopping, .ended: true
    case .starting, .safe, .running: false
    }
  }
}
