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
      // The credit is returned when the events are stored, because the credit limits the worker.
      try services.publish(document.root.elements.compactMap { $0.value.object }, of: plan.name) {
        [weak self] _ in self?.published(count, bytes: bytes)
      }
    } catch {
      log(.error, "\(count) events were refused: \(error)")
      caller.refusals.count("events", count)
      // The credit is returned for refused events too. Otherwise the worker would have none left
      // after enough of them.
      published(count, bytes: bytes)
    }
  }

  /// Logs and counts the events of a long PUBLISH that are too long, and returns their credit.
  /// - Parameter count: the number of these events.
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
      // The callback only schedules `pump` on the loop. It may be called on the thread of the
      // database's writer, whose next commit must not wait.
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
    // The link was closed in the meantime, so no other code would end this source.
    guard isTaken else { return source.end(continues: false) }
    act { $0.session.reply(id) }
    // An event may have arrived before the subscription was entered. The `pump` that it announced
    // found no subscription.
    pump(id)
  }

  func unsubscribe(_ id: UInt32) {
    let (source, isStopping) = withState { state in
      (state.subscriptions.removeValue(forKey: id)?.source, state.session.state == .stopping)
    }
    // A module that is being stopped ends its subscriptions by itself. The next worker continues at
    // their positions.
    source?.end(continues: isStopping)
  }

  func credited(_ id: UInt32, dealtWith count: Int) {
    if count > 0 { withState { $0.subscriptions[id]?.source }?.dealtWith(count) }
    pump(id)
  }

  /// Sends waiting events up to the credit of the subscription, one batch in a round of the loop.
  ///
  /// One thread at a time takes the events, outside the lock. Taking resumes the publishers that
  /// wait for space in the subscription. Such a publisher may be this worker, or a worker that
  /// waits for this link's lock.
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
        // The last events come first, because the worker ignores those of an ended subscription.
        return deliver(taken, to: id, &state, isLast: false) + state.session.fail(id, error)
      }
      // More events may wait than one frame carries. If credit is left, the next batch follows in
      // the loop's next round, after other workers were served. Otherwise the rest follows when the
      // worker grants credit.
      let goesOn =
        isPumpedAgain || (taken.hasMore && state.session.credit(of: id) > taken.events.count)
      if goesOn, taken.end == nil {
        connection.loop.execute { [weak self] in self?.pump(id) }
      }
      return deliver(taken, to: id, &state, isLast: taken.end != nil)
    }
  }

  private func deliver(
    _ taken: TakenEvents, to id: UInt32, _ state: inout State, isLast: Bool
  ) -> [HostAction] {
    guard !taken.events.isEmpty || isLast else { return [] }
    return state.session.deliver(
      id, events: taken.events, dropped: Int(clamping: taken.dropped), isLast: isLast)
  }

  /// The largest number of events in an EVENT.
  private static let maxBatch = 512
  /// The size of an EVENT, in bytes, from which no further event is added.
  private static let maxBatchBytes = 512 << 10

  /// Answers a CALL of the worker, at once or later. On the loop's thread or the thread of long
  /// frames.
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

  /// The largest number of a worker's queries that are answered at the same time. Each one holds
  /// the events that it has found so far.
  private static let maxQueries = 4

  /// Answers the waiting queries one after the other until none is left.
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
