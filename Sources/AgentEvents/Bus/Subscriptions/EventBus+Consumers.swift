public import AgentStore
internal import AgentSystem
internal import Synchronization

/// Durable consumers: each has a name and an acknowledged position of the log.
extension EventBus {
  /// Where a new consumer starts.
  public enum Start: Sendable {
    case oldest
    /// With events that are published from now on.
    case newest
  }

  /// Starts a standing query that goes on behind the position that the consumer of this name has
  /// acknowledged, after a crash of either side too. No stored event is lost on the way, however
  /// slow the consumer is. Events that were taken and not acknowledged come again.
  /// - Parameter available: called outside of any lock when events wait.
  /// - Throws: `EventError` when the bus has no log or the name is the host's, `StoreError` when
  ///   the store can't be written.
  public func consume(
    _ name: String, _ query: EventQuery, from start: Start = .newest, capacity: Int = 1024,
    by holder: EventPublisher = .guest,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) async throws -> EventSubscription {
    try holder.check(consumer: name)
    let first = try await register(consumer: name, from: start)
    let subscription = subscribe(
      to: query, after: first, capacity: capacity, overflow: .readLog, available: available)
    state.withLock { state in
      // `available` may have ended it already. It must not be entered after it was left out.
      guard !subscription.isClosed else { return }
      state.consumers[ObjectIdentifier(subscription)] = OpenConsumer(
        name: name, subscription: subscription, acknowledged: first)
    }
    return subscription
  }

  /// Registers a consumer, unless it is registered. From now on events are kept for it until it has
  /// acknowledged them, whether it reads or not.
  /// - Returns: the position after which it goes on.
  @discardableResult
  public func register(
    consumer name: String, from start: Start = .newest
  ) async throws -> UInt64 {
    let moment = now()
    let position = try await log().write { transaction in
      let first = try start == .oldest ? 0 : transaction.events.lastPosition()
      return try transaction.consumers.register(name, after: first, now: moment).position
    }
    return UInt64(clamping: position)
  }

  /// Acknowledges all events up to a position. Durable when this returns.
  /// - Throws: `StoreError` when there is no consumer of this name, or the store can't be written.
  public func acknowledge(_ name: String, through position: UInt64) async throws {
    try await acknowledge(name, through: position) { _ in }
  }

  /// Acknowledges all events up to a position and stores what came of them. `body` and the
  /// consumer's position are one commit, so that neither is there without the other.
  /// - Parameters:
  ///   - position: nil when there is nothing to acknowledge.
  ///   - body: stores what came of the events, on the store's thread.
  /// - Returns: what `body` returned, once it is durable.
  public func acknowledge<Value: Sendable>(
    _ name: String, through position: UInt64?,
    storing body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    let moment = now()
    let value = try await log().write { transaction in
      if let position {
        _ = try transaction.consumers.acknowledge(
          name, through: Int64(clamping: position), now: moment)
      }
      return try body(transaction)
    }
    if let position { acknowledged(name, through: position) }
    return value
  }

  private func acknowledged(_ name: String, through position: UInt64) {
    state.withLock { state in
      for (id, consumer) in state.consumers where consumer.name == name {
        // Two calls may be answered in any order.
        state.consumers[id]?.acknowledged = max(consumer.acknowledged, position)
      }
    }
  }

  /// Moves consumers that have acknowledged all that was for them to the end of the log, so that
  /// nothing is kept for their sake that their filter leaves out.
  func advanceIdleConsumers() async throws {
    let idle = state.withLock { state in
      state.consumers.values.compactMap { consumer -> (String, UInt64)? in
        guard consumer.acknowledged < state.position,
          consumer.subscription.isIdle(acknowledged: consumer.acknowledged)
        else { return nil }
        return (consumer.name, state.position)
      }
    }
    for (name, position) in idle { try await acknowledge(name, through: position) }
  }

  /// Removes a consumer, so that nothing is kept for it any more.
  /// - Returns: whether there was one.
  /// - Throws: `reserved` for a consumer of the host, unless the host itself calls.
  @discardableResult
  public func forget(
    consumer name: String, by holder: EventPublisher = .guest
  ) async throws -> Bool {
    try holder.check(consumer: name)
    let isGone = try await log().write { try $0.consumers.remove(name) }
    // A subscription that still reads goes on, and its position isn't written down any more.
    if isGone {
      state.withLock { state in
        state.consumers = state.consumers.filter { $0.value.name != name }
      }
    }
    return isGone
  }

  /// All durable consumers, by name.
  public func consumers() async throws -> [EventConsumer] {
    // Else a consumer whose filter matches little would be shown far behind.
    try await advanceIdleConsumers()
    return try await log().read { snapshot in
      let last = try snapshot.events.lastPosition()
      return try snapshot.consumers.consumers().map { row in
        EventConsumer(
          name: row.name, position: row.position, behind: max(0, last.subtracting(row.position)),
          created: row.created, updated: row.updated)
      }
    }
  }

  func log() async throws(EventError) -> any Store {
    guard let store = await openLog() else {
      throw EventError(.storage, message: "This agent has no event log.")
    }
    return store
  }

  /// The log, once it is open; nil in a bus that has none. Waits while the host is starting.
  ///
  /// Rationale: a caller that asked meanwhile would get an empty past.
  func openLog() async -> (any Store)? {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .awaited(var waiting) = state.log else { return true }
        // Taken out while it is changed, or appending would copy the array. Under the lock nobody
        // sees it.
        state.log = .none
        waiting.append { [weak self] in
          continuation.resume(returning: self?.state.withLock { $0.store })
        }
        state.log = .awaited(waiting)
        return false
      }
      if isOpen { continuation.resume(returning: state.withLock { $0.store }) }
    }
  }
}

/// A durable consumer and its position.
public struct EventConsumer: Sendable, Hashable {
  /// A module's consumer begins with the process's name and a slash.
  public let name: String
  /// All events up to this position of the log are acknowledged.
  public let position: Int64
  /// How many positions of the log come after that one. Not all of them need be events that match
  /// its filter.
  public let behind: Int64
  /// When it was registered, in Unix milliseconds.
  public let created: Int64
  /// When it last acknowledged, in Unix milliseconds.
  public let updated: Int64
}
