public import AgentStore
internal import AgentSystem
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
  /// - Throws: when the bus has no log, the store can't be written, or the name is the host's.
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
      guard !subscription.isClosed else { return }
      state.consumers[ObjectIdentifier(subscription)] = OpenConsumer(
        name: name, subscription: subscription, acknowledged: first)
    }
    return subscription
  }

  /// Makes sure that a consumer exists: from now on everything is kept for it until it has dealt
  /// with it, whether it is there yet or not.
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

  /// Everything up to a position has been dealt with: durable when this returns.
  /// - Throws: when there is no consumer of this name.
  public func acknowledge(_ name: String, through position: UInt64) async throws {
    try await acknowledge(name, through: position) { _ in }
  }

  /// Everything up to a position has been dealt with, and what came of it is stored: `body` and the
  /// consumer's position are one commit, so that neither is there without the other.
  /// - Parameters:
  ///   - position: nil when nothing of the log was dealt with.
  ///   - body: stores what came of it; on the store's thread.
  /// - Returns: what `body` has returned, once it is durable.
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
        state.consumers[id]?.acknowledged = max(consumer.acknowledged, position)
      }
    }
  }

  /// Lets consumers that have dealt with all there was for them move to the end of the log, so that
  /// nothing is kept for their sake that they don't ask for.
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

  /// Forgets a consumer, so that nothing is kept for it any more; returns whether there was one.
  /// - Throws: `reserved` for one of the host's own, unless the host itself wants it.
  @discardableResult
  public func forget(
    consumer name: String, by holder: EventPublisher = .guest
  ) async throws -> Bool {
    try holder.check(consumer: name)
    let isGone = try await log().write { try $0.consumers.remove(name) }
    // Who reads still goes on reading, and nothing is written down for it any more.
    if isGone {
      state.withLock { state in
        state.consumers = state.consumers.filter { $0.value.name != name }
      }
    }
    return isGone
  }

  /// All durable consumers, by name.
  public func consumers() async throws -> [EventConsumer] {
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

  /// The log, once it is open; nil in a bus that has none.
  ///
  /// Rationale: who asks while the host is starting would else be told of an empty past.
  func openLog() async -> (any Store)? {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .awaited(var waiting) = state.log else { return true }
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

/// A durable consumer, and how far it has come.
public struct EventConsumer: Sendable, Hashable {
  /// Its name; that of a module's begins with the process's name and a slash.
  public let name: String
  /// All up to this place in the log has been dealt with.
  public let position: Int64
  /// How many places of the log lie behind that one; not all of them need be events that it asks
  /// for.
  public let behind: Int64
  /// When it was first seen, in Unix milliseconds.
  public let created: Int64
  /// When it last said that it had dealt with something.
  public let updated: Int64
}
