internal import AgentEvents
internal import AgentJSON
internal import AgentSupervision
internal import AgentText
internal import AgentWorkerProtocol
internal import DequeModule

extension WorkerLink {
  func publish(_ document: JSONDocument) {
    let count = document.root.count
    let bytes = document.bytes.count
    vouch()
    do {
      // The worker may go on when they are stored: credit is what holds it back.
      try services.publish(document.root.elements.compactMap { $0.value.object }, of: plan.name) {
        [weak self] _ in self?.published(count, bytes: bytes)
      }
    } catch {
      log(.error, "\(count) events were refused: \(error)")
      caller.refusals.count("events", count)
      // The credit goes back for refused events too, or the worker would stand still after enough
      // of them.
      published(count, bytes: bytes)
    }
  }

  /// Refuses the events of a long PUBLISH that are too long, and gives their credit back.
  func refuse(tooLong count: Int) {
    guard count > 0 else { return }
    log(
      .error, "\(count) events were refused: one has at most \(FrameBounds.maxEvent) bytes.")
    caller.refusals.count("events", count)
    published(count, bytes: 0)
  }

  func subscribe(_ id: UInt32, _ request: Subscribe) {
    let source: any EventSource
    do {
      // Not where it is told: that is the database's writer, which has the next commit to make.
      source = try services.source(
        of: request, for: plan.name, account: budget.account(), refusals: caller.refusals
      ) {
        [weak self, loop = connection.loop] in loop.execute { [weak self] in self?.pump(id) }
      }
    } catch {
      caller.refusals.count("subscriptions")
      return act { $0.session.fail(id, error) }
    }
    let isTaken = withState { state in
      guard !state.isClosed else { return false }
      state.subscriptions[id] = OpenSource(source: source)
      return true
    }
    // The link was closed meanwhile, and nobody would ever end this source.
    guard isTaken else { return source.end(continues: false) }
    act { $0.session.reply(id) }
    // Something may have come before the entry was there: that announcement found no
    // subscription.
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

  /// Sends as many waiting events as there is credit for, a batch in a round of the loop.
  ///
  /// They are taken outside of the lock, by one thread at a time: who waits for space in the
  /// subscription goes on then, and that may be this worker, or one that waits for this one's lock.
  func pump(_ id: UInt32) {
    let ready = withState { state -> (any EventSource, credit: Int)? in
      guard !state.socket.isCongested else {
        if state.subscriptions[id] != nil { state.congested.insert(id) }
        return nil
      }
      guard let source = state.subscriptions[id]?.begin() else { return nil }
      return (source, min(state.session.credit(of: id), Self.maxBatch))
    }
    guard let (source, credit) = ready else { return }
    let taken = source.take(credit, bytes: Self.maxBatchBytes)
    act { state in
      let isPumpedAgain = state.subscriptions[id]?.finish() ?? false
      if taken.end != nil { state.subscriptions[id] = nil }
      if case .failure(let error) = taken.end {
        caller.refusals.count("subscriptions")
        return state.session.fail(id, error)
      }
      // More may wait than one frame carries: the rest follows as credit comes back, and what
      // credit is left is used up in the next round of the loop, when others had their turn.
      let goesOn =
        isPumpedAgain || (taken.hasMore && state.session.credit(of: id) > taken.events.count)
      if goesOn, taken.end == nil {
        connection.loop.execute { [weak self] in self?.pump(id) }
      }
      guard !taken.events.isEmpty || taken.end != nil else { return [] }
      return state.session.deliver(
        id, events: taken.events, dropped: Int(clamping: taken.dropped), isLast: taken.end != nil)
    }
  }

  /// The most events of an EVENT.
  private static let maxBatch = 512
  /// The bytes after which no further event is put into an EVENT.
  private static let maxBatchBytes = 512 << 10

  /// Answers a CALL of the worker.
  func answer(_ id: UInt32, _ call: Call) {
    guard call.service == "events/1" else {
      return services.call(call, from: caller) { [self] result in answered(id, result) }
    }
    guard call.method == "query" else {
      return fail(
        id, code: .unsupported,
        message: "events/1 has no \"\(call.method.cut(toBytes: WorkerServices.maxNameBytes))\"; "
          + "it has query.")
    }
    let begins = withState { state in
      state.queries.append((id, call.input))
      defer { state.runningQueries = min(Self.maxQueries, state.runningQueries + 1) }
      return state.runningQueries < Self.maxQueries
    }
    if begins { Task { await answerQueries() } }
  }

  /// How many queries of a worker are answered at a time: each holds what it has found so far.
  private static let maxQueries = 4

  /// Answers queries until none waits.
  private func answerQueries() async {
    while let (id, input) = nextQuery() {
      do {
        answered(id, .success(try await RecentEvents.answer(input, from: services.events)))
      } catch {
        fail(id, code: .invalidArgument, message: "\(error)")
      }
    }
  }

  private func nextQuery() -> (id: UInt32, input: [UInt8])? {
    withState { state in
      let next = state.isClosed ? nil : state.queries.popFirst()
      if next == nil { state.runningQueries -= 1 }
      return next
    }
  }

  private func fail(_ id: UInt32, code: StatusCode, message: String) {
    caller.refusals.count("events/1")
    answered(id, .failure(WorkerError(code, message)))
  }
}
