internal import AgentEvents
internal import AgentJSON
internal import AgentSupervision
internal import AgentWorkerProtocol

extension WorkerLink {
  func publish(_ document: JSONDocument) {
    let count = document.root.count
    do {
      // The worker may go on when they are stored: credit is what holds it back.
      try services.publish(
        document.root.elements.compactMap { $0.value.object }, of: plan.name
      ) { [weak self] _ in self?.act { $0.session.returnPublishCredit(count) } }
    } catch {
      services.log(plan.name, .error, "\(count) events were refused: \(error)")
      act { $0.session.returnPublishCredit(count) }
    }
  }

  func subscribe(_ id: UInt32, _ request: Subscribe) {
    let source: any EventSource
    do {
      // Not where it is told: that is the database's writer, which has the next commit to make.
      source = try services.source(of: request, for: plan.name) {
        [weak self, loop = connection.loop] in loop.execute { [weak self] in self?.pump(id) }
      }
    } catch {
      return act { $0.session.fail(id, error) }
    }
    let isTaken = withState { state in
      guard !state.isClosed else { return false }
      state.subscriptions[id] = OpenSource(source: source)
      return true
    }
    guard isTaken else { return source.end(continues: false) }
    act { $0.session.reply(id) }
    pump(id)
  }

  func unsubscribe(_ id: UInt32) {
    let (source, isStopping) = withState { state in
      (state.subscriptions.removeValue(forKey: id)?.source, state.session.state == .stopping)
    }
    // A module that is told to stop ends its subscriptions by itself; its successor goes on.
    source?.end(continues: isStopping)
  }

  func credited(_ id: UInt32, dealtWith count: Int) {
    if count > 0 { withState { $0.subscriptions[id]?.source }?.dealtWith(count) }
    pump(id)
  }

  /// Sends as many waiting events as there is credit for.
  ///
  /// They are taken outside of the lock, by one thread at a time: who waits for room in the
  /// subscription goes on then, and that may be this worker, or one that waits for this one's lock.
  func pump(_ id: UInt32) {
    let ready = withState { state -> (any EventSource, credit: Int)? in
      guard let source = state.subscriptions[id]?.begin() else { return nil }
      return (source, min(state.session.credit(of: id), 512))
    }
    guard let (source, credit) = ready else { return }
    let taken = source.take(credit)
    act { state in
      let isPumpedAgain = state.subscriptions[id]?.finish() ?? false
      if taken.end != nil { state.subscriptions[id] = nil }
      if case .failure(let error) = taken.end { return state.session.fail(id, error) }
      // More may wait than one frame carries: the rest follows as credit comes back, and what
      // credit is left is used up at once.
      let goesOn =
        isPumpedAgain || (taken.hasMore && state.session.credit(of: id) > taken.events.count)
      let next = goesOn && taken.end == nil ? [HostAction.credited(id, dealtWith: 0)] : []
      guard !taken.events.isEmpty || taken.end != nil else { return next }
      return state.session.deliver(
        id, events: taken.events, dropped: Int(clamping: taken.dropped), isLast: taken.end != nil)
        + next
    }
  }

  /// Answers a CALL of the worker.
  func answer(_ id: UInt32, _ call: Call) {
    guard call.service == "events/1" else {
      return services.call(call, from: caller) { [self] result in
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
