extension HostSession {
  /// Sends LOAD to a worker in the state `greeted`. Does nothing in other states.
  ///
  /// With configurations, it also sends CONFIGURE for each one without waiting for LOADED. The
  /// answers produce `.loaded` and then `.ready`.
  public mutating func load(_ load: Load, then configurations: [Configure]? = nil) -> [HostAction] {
    guard state == .greeted else { return [] }
    state = .loading
    return requests(load, configurations)
  }

  /// Does the same before HELLO has arrived, to save a round trip. Does nothing in other states.
  /// The protocol has only one version, so the host can't choose a wrong one. If the worker doesn't
  /// support it, its HELLO is a breach.
  public mutating func loadAhead(
    _ load: Load, then configurations: [Configure]? = nil
  ) -> [HostAction] {
    guard state == .awaitingHello, !hasLoadedAhead else { return [] }
    hasLoadedAhead = true
    return requests(load, configurations)
  }

  private mutating func requests(_ load: Load, _ configurations: [Configure]?) -> [HostAction] {
    let load = HostAction.send(request(.load, body: load.json, kind: .load))
    isConfiguredAhead = configurations != nil
    return [load] + requests(configurations ?? [])
  }

  private mutating func requests(_ configurations: [Configure]) -> [HostAction] {
    contributions = configurations.map(\.contribution)
    return configurations.map { .send(request(.configure, body: $0.json, kind: .configure)) }
  }

  /// Sends CONFIGURE for each contribution of a loaded module. `.ready` follows after all answers.
  /// Does nothing if CONFIGURE was sent together with LOAD.
  public mutating func configure(_ configurations: [Configure]) -> [HostAction] {
    guard state == .loaded else { return [] }
    return requests(configurations) + awaitReady()
  }

  /// Waits for one answer to each CONFIGURE that was sent.
  mutating func awaitReady() -> [HostAction] {
    state = contributions.isEmpty ? .ready : .configuring(contributions.count)
    return contributions.isEmpty ? [.ready] : []
  }

  /// Sends START for each configured contribution, and the credit for publishing. `.started`
  /// follows after all answers.
  public mutating func start() -> [HostAction] {
    guard state == .ready else { return [] }
    defer { contributions = [] }
    state = contributions.isEmpty ? .running : .starting(contributions.count)
    publishing.grant(publishWindow)
    var actions = contributions.map {
      HostAction.send(request(.start, body: $0.json, kind: .start))
    }
    actions.append(.send(Frame(.credit, body: Credit(count: publishWindow).json)))
    return contributions.isEmpty ? actions + [.started] : actions
  }

  /// Sends STOP in any state in which the worker can answer it. A second STOP is sent too.
  public mutating func stop(deadlineMilliseconds: Int) -> [HostAction] {
    switch state {
    case .awaitingHello, .broken, .ended: return []
    default: break
    }
    state = .stopping
    let stop = Stop(deadlineMilliseconds: deadlineMilliseconds)
    return [.send(request(.stop, body: stop.json, kind: .stop))]
  }

  /// Sends INVOKE.
  /// - Returns: the id of the call, which its parts and its end carry. `nil` if the worker isn't
  ///   running.
  public mutating func invoke(_ invoke: Invoke) -> (id: UInt32, actions: [HostAction])? {
    self.invoke(body: invoke.json)
  }

  /// Sends an INVOKE whose message is encoded already: ``Invoke/json``.
  /// - Returns: the same as ``invoke(_:)``.
  public mutating func invoke(body: [UInt8]) -> (id: UInt32, actions: [HostAction])? {
    guard state == .running else { return nil }
    let frame = request(.invoke, body: body, kind: .invoke(nextPart: 0))
    return (frame.id, [.send(frame)])
  }

  /// Sends CANCEL for a call that hasn't ended. The end of the call still follows.
  public mutating func cancel(_ call: UInt32) -> [HostAction] {
    guard case .invoke = pending[call] else { return [] }
    return [.send(Frame(.cancel, id: call))]
  }

  /// Sends PING unless one is unanswered.
  public mutating func ping() -> [HostAction] {
    guard state != .awaitingHello, state != .broken, state != .ended,
      !pending.values.contains(.ping)
    else { return [] }
    return [.send(request(.ping, body: [], kind: .ping))]
  }

  /// Answers a CALL with its result as JSON, or accepts a SUBSCRIBE.
  public mutating func reply(_ id: UInt32, _ result: [UInt8] = []) -> [HostAction] {
    guard calls.remove(id) != nil else { return [] }
    return [.send(Frame(.reply, id: id, body: result))]
  }

  /// Refuses a CALL or a SUBSCRIBE, or ends an accepted subscription.
  public mutating func fail(_ id: UInt32, _ error: WorkerError) -> [HostAction] {
    let isCall = calls.remove(id) != nil
    let isSubscription = subscriptions.removeValue(forKey: id) != nil
    guard isCall || isSubscription else { return [] }
    var frame = Frame(.error, id: id, body: error.json)
    // An accepted subscription may have events that aren't sent yet.
    frame.followsData = !isCall
    return [.send(frame)]
  }

  /// Returns the number of events that may now be sent to a subscription.
  public func credit(of subscription: UInt32) -> Int {
    subscriptions[subscription]?.available ?? 0
  }

  /// Sends events, each as JSON, to a subscription. Sends nothing if the credit doesn't cover all
  /// of them.
  /// - Parameter isLast: whether the subscription ends with these events.
  public mutating func deliver(
    _ subscription: UInt32, events: some Collection<[UInt8]>, dropped: Int = 0,
    isLast: Bool = false
  ) -> [HostAction] {
    guard subscriptions[subscription]?.spend(events.count) == true else { return [] }
    let batch = EventBatch(joining: events, dropped: dropped, isLast: isLast)
    if isLast { subscriptions[subscription] = nil }
    return [.send(Frame(.event, id: subscription, body: batch.json))]
  }

  /// Returns the credit for events that were processed. The credit is collected, and a frame is
  /// sent for every quarter of the window.
  public mutating func returnPublishCredit(_ count: Int) -> [HostAction] {
    let grant = returning.add(count)
    guard grant > 0, state != .broken, state != .ended else { return [] }
    publishing.grant(grant)
    return [.send(Frame(.credit, body: Credit(count: grant).json))]
  }
}
