internal import AgentStore
internal import AgentSystem
internal import Synchronization

extension EventBus {
  typealias Completion = @Sendable (Result<[Event], EventError>) -> Void

  /// Stores and delivers events, at once or when the log is open.
  /// - Parameters:
  ///   - stored: called once with whether the events are stored, before the wait for space in
  ///     queues.
  ///   - completion: called once, on any thread, when queues have space again, or with the failure.
  func accept(
    _ drafts: [EventDraft], stored: @escaping @Sendable (Bool) -> Void = { _ in },
    _ completion: @escaping Completion
  ) {
    enum Way {
      case memory, wait
      case store(any Store)
    }
    let way = state.withLock { state -> Way in
      // Calls wait in their order. Each is accepted again when the log is open, so that it takes
      // the usual path.
      switch state.log {
      case .none: return .memory
      case .store(let store): return .store(store)
      case .awaited(var waiting):
        state.log = .none
        waiting.append { [weak self] in self?.accept(drafts, stored: stored, completion) }
        state.log = .awaited(waiting)
        return .wait
      }
    }
    switch way {
    case .memory:
      deliver(drafts, at: nil, completion)
      stored(true)
    case .wait: break
    case .store(let store): put(drafts, into: store, stored: stored, completion: completion)
    }
  }

  /// Accepts events like ``accept(_:_:)``. After a failure it tries again until it succeeds or the
  /// log is closed.
  func acceptPatiently(_ drafts: [EventDraft], _ completion: @escaping Completion) {
    accept(drafts) { [weak self] outcome in
      guard case .failure = outcome, let self, !isClosed else { return completion(outcome) }
      Task {
        try? await pause(Self.retryPause)
        self.acceptPatiently(drafts, completion)
      }
    }
  }

  static let retryPause = Duration.milliseconds(500)

  var isClosed: Bool {
    guard let store = state.withLock({ $0.store }) else { return false }
    return store.condition == .closed
  }

  private func put(
    _ drafts: [EventDraft], into store: any Store, stored: @escaping @Sendable (Bool) -> Void,
    completion: @escaping Completion
  ) {
    var drafts = drafts
    var rows: [NewEvent] = []
    for place in drafts.indices {
      // Every queue counts the bytes of the text, so the text is made here and not under the bus's
      // lock.
      guard !drafts[place].modifiers.skipsStorage else {
        _ = drafts[place].encode()
        continue
      }
      rows.append(drafts[place].row())
    }
    // There is nothing to commit, so a transaction would only delay the delivery.
    guard !rows.isEmpty else {
      deliver(drafts, at: 0..<0, completion)
      return stored(true)
    }
    // The completion runs on the writer's thread in the order of positions. Events are therefore
    // delivered in that order, and only when they are durable (docs/decisions/0012). `single` is
    // enough, because the body is one `append`.
    store.submit(.single) { [rows] in
      try $0.events.append(rows)
    } completion: { [weak self, drafts] outcome in
      switch outcome {
      case .success(let positions):
        self?.deliver(drafts, at: positions, completion)
        stored(true)
      case .failure(let error):
        stored(false)
        completion(.failure(EventError(.storage, message: "It could not be stored: \(error)")))
      }
    }
  }

  /// Gives each event its position and queues it for matching subscriptions.
  /// - Parameters:
  ///   - positions: the positions of the stored events, in order. Nil means that the bus has no
  ///     log.
  ///   - completion: called when no subscription with ``EventOverflow/block`` is full any more.
  func deliver(
    _ drafts: [EventDraft], at positions: Range<Int64>?, _ completion: @escaping Completion
  ) {
    let moment = now()
    // Positions are given and queues are filled under one lock. Otherwise a later batch could be
    // queued first.
    let (events, deliveries) = state.withLock { state in
      let events = Self.events(drafts, at: positions, &state)
      state.published += UInt64(clamping: events.count)
      state.deliveries.note(state.position, at: moment)
      if positions == nil { state.memory.remember(events, now: moment, retention) }
      var deliveries: [(EventSubscription, EventSubscription.Delivery)] = []
      for (members, run) in state.audiences.receivers(of: Self.live(drafts, events)) {
        for subscription in members { deliveries.append((subscription, subscription.offer(run))) }
      }
      return (events, deliveries)
    }
    // Consumers' callbacks run here, so this is outside of the lock.
    var full: [EventSubscription] = []
    for (subscription, delivery) in deliveries {
      if delivery.announces { subscription.announce() }
      if delivery.fallsBehind { startReading(for: subscription) }
      guard delivery.isFull else { continue }
      full.append(subscription)
      limitWait(for: subscription)
    }
    Self.wait(for: full[...]) { completion(.success(events)) }
  }

  /// Returns the events to deliver: all except those with `__skiprealtime`.
  private static func live(_ drafts: [EventDraft], _ events: [Event]) -> [Event] {
    guard drafts.contains(where: \.modifiers.skipsRealtime) else { return events }
    return zip(drafts, events).filter { !$0.0.modifiers.skipsRealtime }.map(\.1)
  }

  private static func events(
    _ drafts: [EventDraft], at positions: Range<Int64>?, _ state: inout EventBusState
  ) -> [Event] {
    var next = positions?.lowerBound ?? 0
    return drafts.map { draft in
      let isStored = positions == nil || !draft.modifiers.skipsStorage
      if positions == nil {
        state.position += 1
      } else if isStored {
        state.position = UInt64(clamping: next)
        next = next.adding(1)
      }
      return Event(draft, position: state.position, isStored: isStored)
    }
  }

  /// Ends the wait for a subscription that has no space after ``EventSubscription/publisherPatience``.
  ///
  /// Rationale: a publisher that waits may be a request or another process. A subscriber that takes
  /// nothing would stop both for good.
  private func limitWait(for subscription: EventSubscription) {
    guard let wait = subscription.beginWait() else { return }
    Task { [weak subscription, pause] in
      try? await pause(EventSubscription.publisherPatience)
      subscription?.giveUp(wait)
    }
  }

  /// Calls `action` when all subscriptions have space.
  private static func wait(
    for subscriptions: ArraySlice<EventSubscription>, _ action: @escaping @Sendable () -> Void
  ) {
    guard let first = subscriptions.first else { return action() }
    let rest = Array(subscriptions.dropFirst())
    // The subscriptions are awaited one after the other, because the publisher needs space in all
    // of them.
    first.whenSpaceAvailable { wait(for: rest[...], action) }
  }
}
