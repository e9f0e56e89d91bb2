internal import AgentStore
internal import Synchronization

/// Durable consumers: a name, and how far its holder has acknowledged the log.
extension EventBus {
  /// Where a consumer that is new starts.
  public enum Start: Sendable {
    /// With the oldest event of the log.
    case oldest
    /// With what is published from now on.
    case newest
  }

  /// Starts a standing query that goes on where the consumer of this name has acknowledged, after a
  /// crash of either side too. Nothing that is stored is lost on the way, however slow it is; what
  /// was taken and not acknowledged comes again.
  /// - Throws: when the bus has no log, or the store can't be written.
  public func consume(
    _ name: String, _ query: EventQuery, from start: Start = .newest, capacity: Int = 1024,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) async throws -> EventSubscription {
    let moment = now()
    let position = try await log().write { transaction in
      let first = try start == .oldest ? 0 : transaction.events.lastPosition()
      return try transaction.consumers.register(name, after: first, now: moment).position
    }
    return subscribe(
      to: query, after: UInt64(clamping: position), capacity: capacity, overflow: .readLog,
      available: available)
  }

  /// Everything up to a position has been dealt with: durable when this returns.
  /// - Throws: when there is no consumer of this name.
  public func acknowledge(_ name: String, through position: UInt64) async throws {
    let moment = now()
    try await log().write { transaction in
      _ = try transaction.consumers.acknowledge(
        name, through: Int64(clamping: position), now: moment)
    }
  }

  /// Forgets a consumer, so that nothing is kept for it any more; returns whether there was one.
  @discardableResult
  public func forget(consumer name: String) async throws -> Bool {
    try await log().write { try $0.consumers.remove(name) }
  }

  func log() throws(EventError) -> any Store {
    guard let store = state.withLock({ $0.store }) else {
      throw EventError(.storage, message: "This agent keeps no log of events.")
    }
    return store
  }
}
