internal import AgentEvents
internal import AgentJSON
internal import AgentWorkerProtocol

extension WorkerLink {
  func publish(_ document: JSONDocument) {
    let count = document.root.count
    do {
      // The worker may go on when they are stored: credit is what holds it back.
      try services.events.publishPatiently(
        document.root.elements.compactMap { $0.value.object }, source: plan.name
      ) { [weak self] _ in self?.act { $0.session.returnPublishCredit(count) } }
    } catch {
      services.log(plan.name, .error, "\(count) events were refused: \(error)")
      act { $0.session.returnPublishCredit(count) }
    }
  }

  func subscribe(_ id: UInt32, _ request: Subscribe) {
    let query: EventQuery
    do {
      query = try EventQuery(parsing: request.query)
    } catch {
      act { $0.session.fail(id, WorkerError(.invalidArgument, "\(error)")) }
      return
    }
    let subscription = services.events.subscribe(
      to: query, window: Int64(request.windowMilliseconds ?? 0),
      after: services.positions.resume(query, of: plan.name), capacity: request.capacity ?? 1024,
      overflow: request.overflow == .dropOldest ? .dropOldest : .dropNewest
    ) { [weak self] _ in self?.pump(id) }
    let isTaken = withState { state in
      guard !state.isClosed else { return false }
      state.subscriptions[id] = subscription
      return true
    }
    guard isTaken else { return services.events.unsubscribe(subscription) }
    act { $0.session.reply(id) }
    pump(id)
  }

  func unsubscribe(_ id: UInt32) {
    let (subscription, isStopping) = withState { state in
      (state.subscriptions.removeValue(forKey: id), state.session.state == .stopping)
    }
    guard let subscription else { return }
    // A module that is told to stop ends its subscriptions by itself; its successor goes on.
    if isStopping { end(subscription) } else { services.events.unsubscribe(subscription) }
  }

  /// Ends a subscription whose process goes on in another worker.
  func end(_ subscription: EventSubscription) {
    services.events.unsubscribe(subscription)
    services.positions.keep(subscription, of: plan.name)
  }

  /// Sends as many waiting events as there is credit for.
  func pump(_ id: UInt32) {
    act { state in
      guard let subscription = state.subscriptions[id] else { return [] }
      let credit = min(state.session.credit(of: id), 512)
      guard credit > 0 else { return [] }
      let (events, dropped) = subscription.take(credit)
      guard !events.isEmpty else { return [] }
      let actions = state.session.deliver(
        id, events: events.map(\.encoded), dropped: Int(clamping: dropped))
      // More may wait than one frame carries: the rest follows as credit comes back, and what
      // credit is left is used up at once.
      return subscription.waiting > 0 && state.session.credit(of: id) > 0
        ? actions + [.credited(id)] : actions
    }
  }

  /// Answers a CALL of the worker.
  func answer(_ id: UInt32, _ call: Call) {
    guard call.service == "events/1" else {
      return services.call(call.service, call.method, call.input, from: caller) { [self] result in
        switch result {
        case .success(let answer): act { $0.session.reply(id, answer) }
        case .failure(let error): act { $0.session.fail(id, error) }
        }
      }
    }
    guard call.method == "query" else {
      return fail(id, .unsupported, "events/1 has no \"\(call.method)\"; it has query.")
    }
    Task { [self, events = services.events] in
      do {
        let result = try await RecentEvents.answer(call.input, from: events)
        act { $0.session.reply(id, result) }
      } catch {
        fail(id, .invalidArgument, "\(error)")
      }
    }
  }

  private func fail(_ id: UInt32, _ code: StatusCode, _ message: String) {
    act { $0.session.fail(id, WorkerError(code, message)) }
  }
}
