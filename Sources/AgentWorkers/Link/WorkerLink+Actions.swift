internal import AgentEvents
internal import AgentJSON
internal import AgentSupervision
internal import AgentWorkerProtocol

extension WorkerLink {
  /// Performs an action that results from a frame or a call. On the loop's thread or a caller's,
  /// outside the lock of the state.
  func perform(_ action: HostAction) {
    let report = connection.handle.report
    switch action {
    case .send: break  // sent already, in order
    case .hello: act { $0.session.load(plan.load, then: plan.configurationsAhead) }
    case .loaded(let loaded): compare(loaded)
    case .refused(let op, let error): refuse(op, error)
    case .ready: report(.ready)
    case .started:
      report(.started)
      resumeWaiters()
    case .stopped: report(.stopped)
    case .pong, .heartbeat: report(.alive)
    case .published(let document): publish(document)
    case .publishedInParts(_, let tooLong): refuse(tooLong: tooLong.count)
    case .subscribe(let id, let request): subscribe(id, request)
    case .unsubscribe(let id): unsubscribe(id)
    case .credited(let id, let count): credited(id, dealtWith: count)
    case .part(let call, let value): withState { $0.calls[call]?.listener }?.part(value)
    case .finished(let call, let result): finish(call, result)
    case .call(let id, let call): answer(id, call)
    case .log(let record): take(record)
    case .endedByItself(let ended):
      report(.endedByItself(succeeded: ended.status == .ok, message: ended.message))
    case .breach(let reason): report(.breach(reason: reason))
    }
  }

  private func compare(_ loaded: Loaded) {
    if let difference = plan.confirm(loaded) {
      connection.handle.report(.refused(reason: difference))
    } else {
      act { $0.session.configure(plan.configurations) }
    }
    // The level comes from the record that was written before any code of the module ran. Only the
    // first LOADED comes here, so the crash report behind the record isn't read.
    let record = plan.reportsSandbox ? connection.crash.flatMap(SandboxRecord.take) : nil
    services.sandboxReached(
      self, loaded.contained(as: record, isExpected: plan.reportsSandbox))
  }

  private func refuse(_ op: Op, _ error: WorkerError) {
    let what =
      switch op {
      case .load: "The module can't be loaded"
      case .configure: "It can't use its settings"
      default: "It can't start"
      }
    connection.handle.report(.refused(reason: "\(what): \(error)"))
  }
}
