internal import CAgentModule
internal import Synchronization

/// One instance of a contribution: runs its work and its calls as tasks, and ends them.
final class Instance: Sendable {
  let body: Body
  let host: CHost
  private let metrics: Metrics
  private let state = Mutex(InstanceState<Task<Void, Never>, Completion>())
  private let timer = DeadlineTimer()

  init(body: Body, host: CHost, metrics: Metrics) {
    self.body = body
    self.host = host
    self.metrics = metrics
  }

  /// Starts the work; `ended` is called once it is over.
  func start(_ ended: Completion) {
    guard let run = body.run else {
      return ended.fail(ModuleError(.unsupported, "This contribution has no work of its own."))
    }
    guard state.withLock({ $0.beginWork() }) else {
      return ended.fail(ModuleError(.invalidArgument, "This contribution was started before."))
    }
    let task = Task {
      do {
        try await run()
        metrics.flush()
        ended.succeed()
      } catch is CancellationError where state.withLock({ $0.isStopping }) {
        ended.succeed()
      } catch {
        metrics.flush()
        ended.fail(ModuleError(crossing: error))
      }
      report(state.withLock { $0.workEnded() })
    }
    if state.withLock({ $0.workIs(task) }) { task.cancel() }
  }

  /// Asks work and calls to end; `done` is called when they have ended.
  func stop(_ done: Completion) {
    let (cancel, report) = state.withLock { $0.stop(done) }
    timer.cancel()
    cancel.forEach { $0.cancel() }
    self.report(report)
  }

  /// Reports to the host that the instance has stopped. This is the last thing that it hears.
  private func report(_ waiting: [Completion]) {
    if waiting.isEmpty { return }
    metrics.flush()
    waiting.forEach { $0.succeed() }
  }

  /// Accepts a call; its answer goes to `sink`, now or later.
  func invoke(
    _ call: UInt64, input: [UInt8], deadline: Int64, traceparent: String?, tracestate: String?,
    sink: CallSink
  ) {
    guard let answer = body.answer else {
      let message = "This contribution doesn't answer calls."
      return sink.finish(.failure(ModuleError(.unsupported, message)))
    }
    if deadline > 0, deadline <= host.now() {
      return sink.finish(.failure(.deadlinePassed))
    }
    guard state.withLock({ $0.admit(call, deadline: deadline) }) else {
      return sink.finish(.failure(ModuleError(.closed, "This contribution is stopping.")))
    }
    let work: @Sendable () async -> Void = { [self] in
      let result: Result<JSONValue, ModuleError>
      do {
        result = .success(try await answer(try document(of: input), sink))
      } catch {
        result = .failure(reason(call, error))
      }
      sink.finish(result)
      report(state.withLock { $0.callEnded(call) })
    }
    let task = CallTrace.$traceparent.withValue(traceparent) {
      CallTrace.$tracestate.withValue(tracestate) {
        CallSink.$current.withValue(sink) {
          body.beginsAtOnce ? Task.immediate(operation: work) : Task(operation: work)
        }
      }
    }
    if state.withLock({ $0.call(call, is: task) }) { task.cancel() }
    if deadline > 0 { watchDeadlines() }
  }

  /// Cancels a call; its answer still follows.
  func cancel(_ call: UInt64) {
    state.withLock { $0.giveUp(call, .cancelled) }?.cancel()
  }

  /// Cuts the connection to the host. Don't call anything afterwards.
  func destroy() {
    timer.cancel()
    host.close()
  }

  /// The error of a call; for a cancelled call it says why the call was cancelled.
  private func reason(_ call: UInt64, _ error: any Error) -> ModuleError {
    switch state.withLock({ $0.givenUp(call) }) {
    case .deadline: .deadlinePassed
    case .cancelled: ModuleError(.cancelled, "It was cancelled.")
    case nil: ModuleError(crossing: error)
    }
  }

  private func watchDeadlines() {
    guard let deadline = state.withLock({ $0.nextDeadline }) else { return }
    timer.wake(at: deadline, now: host.now()) { [weak self] in
      self?.expire(deadline)
    }
  }

  private func expire(_ deadline: Int64) {
    let now = max(deadline, host.now())
    state.withLock { $0.expire(now) }.forEach { $0.cancel() }
    watchDeadlines()
  }
}

private func document(of input: [UInt8]) throws(ModuleError) -> JSONDocument {
  do {
    return try JSONDocument(parsing: input)
  } catch {
    throw ModuleError(.invalidArgument, "The input is not JSON: \(error)")
  }
}

extension ModuleError {
  fileprivate static var deadlinePassed: ModuleError {
    ModuleError(.deadlineExceeded, "The deadline passed before there was a result.")
  }
}
