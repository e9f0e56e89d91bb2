public import AgentStore
internal import AgentSystem
internal import Synchronization

/// Durable consumers: each has a name and an acknowledged position of the log.
extension EventBus {
  /// Where a new consumer starts.
  public enum Start: Sendable {
    case oldest
    /// The consumer starts with new events.
    case newest
  }

  /// Starts a standing query after the position that the consumer of this name has acknowledged,
  /// also after a crash of either side. No stored event is lost, however slow the consumer is.
  /// Events that were taken and not acknowledged are delivered again.
  /// - Parameters:
  ///   - account: of the worker's subscription that consumes the events.
  ///   - available: called outside of any lock when events wait.
  /// - Throws: `EventError` if the bus has no log or the name belongs to the host, `StoreError` if
  ///   the store can't be written.
  public func consume(
    _ name: String, _ query: EventQuery, from start: Start = .newest, capacity: Int = 1024,
    by holder: EventPublisher = .guest, account: StreamAccount? = nil,
    available: @escaping @Sendable (EventSubscription) -> Void
  ) async throws -> EventSubscription {
    try holder.check(consumer: name)
    let (first, seen) = try await enter(consumer: name, from: start)
    let subscription = subscribe(
      to: query, after: first, capacity: capacity, overflow: .readLog, account: account,
      available: available)
    state.withLock { state in
      // `available` may have ended the subscription already. A removed subscription must not be
      // added again.
      guard !subscription.isClosed else { return }
      state.consumers[ObjectIdentifier(subscription)] = OpenConsumer(
        name: name, subscription: subscription, acknowledged: first, seen: seen)
    }
    return subscription
  }

  /// Registers a consumer, unless it is registered. From now on events are kept until the consumer
  /// has acknowledged them, even if it doesn't read.
  /// - Returns: the position after which it continues.
  @discardableResult
  public func register(
    consumer name: String, from start: Start = .newest
  ) async throws -> UInt64 {
    try await enter(consumer: name, from: start).position
  }

  /// Registers a consumer, unless it is registered.
  /// - Returns: the position after which it continues, and when it last acknowledged, in Unix
  ///   milliseconds. One that has acknowledged everything counts as seen now.
  private func enter(
    consumer name: String, from start: Start
  ) async throws -> (position: UInt64, seen: Int64) {
    let moment = now()
    let (row, last) = try await log().write { transaction in
      let last = try transaction.events.lastPosition()
      let first = start == .oldest ? 0 : last
      try Self.checkCount(with: name, in: transaction.consumers)
      return (try transaction.consumers.register(name, after: first, now: moment), last)
    }
    return (UInt64(clamping: row.position), row.position < last ? row.updated : moment)
  }

  /// The maximum number of durable consumers of one process.
  static let maxConsumers = 100

  /// Refuses a further consumer of a process that has too many.
  ///
  /// Rationale: a consumer stays until somebody forgets it, and a worker chooses the names.
  private static func checkCount(
    with name: String, in consumers: any ConsumerStorage
  ) throws {
    guard let end = name.firstIndex(of: "/"), !name.hasPrefix(EventPublisher.hostConsumers),
      try consumers.consumer(name) == nil
    else { return }
    let process = name[...end]
    guard try consumers.consumers().count(where: { $0.name.hasPrefix(process) }) >= maxConsumers
    else { return }
    throw EventError(
      message: "The process \(process.dropLast()) has \(maxConsumers) durable consumers, the most "
        + "that one may have. Forget one: agent events forget NAME.")
  }

  /// Acknowledges all events up to a position. Returns when this is durable.
  /// - Throws: `StoreError` if there is no consumer of this name, or the store can't be written.
  public func acknowledge(_ name: String, through position: UInt64) async throws {
    try await acknowledge(name, through: position) { _ in }
  }

  /// Acknowledges all events up to a position and stores their results. `body` and the consumer's
  /// position are one commit, so neither exists without the other.
  /// - Parameters:
  ///   - position: nil means that there is nothing to acknowledge.
  ///   - body: stores the results of the events, on the store's thread.
  /// - Returns: the result of `body`, once it is durable.
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
    let moment = now()
    state.withLock { state in
      for (id, consumer) in state.consumers where consumer.name == name {
        // An acknowledgement of what was acknowledged before says nothing new.
        if position > consumer.acknowledged { state.consumers[id]?.seen = moment }
        // Two calls may finish in any order.
        state.consumers[id]?.acknowledged = max(consumer.acknowledged, position)
      }
    }
  }

  /// Moves consumers that have acknowledged all their events to the end of the log. Events outside
  /// of their filters are then not kept for them.
  ///
  /// A consumer that can't be moved stays where it is until the next call.
  func advanceIdleConsumers() async {
    let moment = now()
    for (name, position) in idleConsumers(seen: moment) {
      do {
        // `freeing` is allowed while the disk is full. Rationale: the events that fill it are kept
        // until the consumer moves, so a refused write would keep the disk full.
        _ = try await log().write(.freeing) { transaction in
          try transaction.consumers.acknowledge(
            name, through: Int64(clamping: position), now: moment)
        }
        acknowledged(name, through: position)
      } catch {
        // Nothing is lost, and a fault of the store also fails the caller's own reads and writes. A
        // consumer that was forgotten meanwhile must not stop the removal of events.
        continue
      }
    }
  }

  /// Returns the connected consumers that have acknowledged all their events and aren't at the end
  /// of the log, and that end.
  /// - Parameter moment: when the idle ones were seen. Nil leaves that as it is.
  private func idleConsumers(seen moment: Int64? = nil) -> [String: UInt64] {
    state.withLock { state in
      var idle: [String: UInt64] = [:]
      for (id, consumer) in state.consumers
      where consumer.subscription.isIdle(acknowledged: consumer.acknowledged) {
        if let moment { state.consumers[id]?.seen = moment }
        if consumer.acknowledged < state.position { idle[consumer.name] = state.position }
      }
      return idle
    }
  }

  /// Removes a consumer. No event is kept for it any more.
  /// - Returns: whether it existed.
  /// - Throws: `reserved` for a consumer of the host, unless the host itself calls.
  @discardableResult
  public func forget(
    consumer name: String, by holder: EventPublisher = .guest
  ) async throws -> Bool {
    try holder.check(consumer: name)
    let isGone = try await log().write { try $0.consumers.remove(name) }
    // A subscription that still reads continues, but its position isn't stored any more.
    if isGone {
      state.withLock { state in
        state.consumers = state.consumers.filter { $0.value.name != name }
      }
    }
    return isGone
  }

  /// Returns all durable consumers, sorted by name. Writes nothing, so that they are also listed
  /// while the disk is full.
  public func consumers() async throws -> [EventConsumer] {
    let log = try await log()
    // Otherwise a consumer whose filter matches little would appear far behind.
    let idle = idleConsumers()
    return try await log.read { snapshot in
      let last = try snapshot.events.lastPosition()
      return try snapshot.consumers.consumers().map { row in
        // The position itself is the stored one, because that never goes back.
        let reached = max(row.position, Int64(clamping: idle[row.name] ?? 0))
        return EventConsumer(
          name: row.name, position: row.position, behind: max(0, last.subtracting(reached)),
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

  /// Returns the log when it is open, nil for a bus without one. Waits while the host starts.
  ///
  /// Rationale: a caller that asked earlier would get an empty past.
  func openLog() async -> (any Store)? {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .awaited(var waiting) = state.log else { return true }
        // The array is taken out during the change, or the append would copy it. No other thread
        // sees that under the lock.
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
  /// The name. A module's consumer begins with the name of the process and a slash.
  public let name: String
  /// All events up to this position of the log are acknowledged.
  public let position: Int64
  /// The number of positions after that one. Not all of them are events that match its filter. 0
  /// for a connected consumer that has acknowledged all events that match.
  public let behind: Int64
  /// When it was registered, in Unix milliseconds.
  public let created: Int64
  /// When it last acknowledged, in Unix milliseconds.
  public let updated: Int64
}
