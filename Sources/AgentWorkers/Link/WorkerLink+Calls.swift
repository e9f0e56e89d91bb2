internal import AgentSupervision
internal import AgentTraces
package import AgentWorkerProtocol

/// A call whose end is awaited.
struct PendingCall: Sendable {
  /// Receives parts and log records before the end.
  let listener: CallListener
  /// Called once, with the result.
  let finish: @Sendable (Result<[UInt8], WorkerError>) -> Void
}

extension WorkerLink {
  /// How long a cancelled call may take to end before the worker counts as stuck.
  static let patience = Duration.seconds(2)

  /// Calls a contribution and waits for its answer, at most `timeout`. A call that isn't over then
  /// is cancelled. A worker that doesn't end it within two more seconds is replaced. Any thread.
  /// Throws `closed` when the worker ends, `overloaded` when it hasn't read what was sent before,
  /// `deadlineExceeded`, or the module's own error.
  package func invoke(
    _ contribution: ContributionName, input: [UInt8], deadline: Int64, timeout: Duration,
    listener: CallListener = CallListener()
  ) async throws(WorkerError) -> [UInt8] {
    let cancellation = CallCancellation()
    let timers = watch(contribution, timeout: timeout, cancellation: cancellation)
    defer {
      cancellation.end()
      for timer in timers { connection.loop.cancel(timer) }
    }
    let request = Invoke(
      contribution: contribution, input: input, deadline: deadline,
      traceparent: Tracer.current?.traceparent,
      tracestate: Tracer.current?.state?.description)
    let result = await result(of: request, cancellation, listener)
    // Before the result: what the module says of a cancelled call isn't why it ended.
    if cancellation.isOverdue {
      throw WorkerError(.deadlineExceeded, "\(contribution) didn't answer within \(timeout).")
    }
    return try result.get()
  }

  /// Asks a contribution and waits for the end of its answer.
  ///
  /// When the waiting task is cancelled the worker gets CANCEL; the end still comes from it.
  func invoke(
    _ contribution: ContributionName, input: [UInt8], deadline: Int64,
    listener: CallListener = CallListener()
  ) async throws(WorkerError) -> [UInt8] {
    let request = Invoke(contribution: contribution, input: input, deadline: deadline)
    return try await result(of: request, CallCancellation(), listener).get()
  }

  private func result(
    of request: Invoke, _ cancellation: CallCancellation,
    _ listener: CallListener
  ) async -> Result<[UInt8], WorkerError> {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let call = PendingCall(listener: listener) { continuation.resume(returning: $0) }
        begin(call, request) { id in
          // Cancelled before it had a number: CANCEL could not be sent until now.
          if cancellation.began(id) { self.cancel(id) }
        }
      }
    } onCancel: {
      if let id = cancellation.cancel() { self.cancel(id) }
    }
  }

  /// Rationale: timers of the loop, because tasks that sleep cost more than the call itself.
  private func watch(
    _ contribution: ContributionName, timeout: Duration, cancellation: CallCancellation
  ) -> [LoopTimer] {
    let cancels = connection.loop.schedule(after: timeout) { [weak self] in
      if let id = cancellation.cancel(isOverdue: true) { self?.cancel(id) }
    }
    let replaces = connection.loop.schedule(after: timeout + Self.patience) { [weak self] in
      self?.replace(for: contribution, cancellation, looksLeft: Self.maxLooks)
    }
    return [cancels, replaces]
  }

  /// How often the end of a cancelled call is looked for again while a long frame is parsed.
  private static let maxLooks = 5

  /// Has the worker replaced, because a call didn't end.
  private func replace(
    for contribution: ContributionName, _ cancellation: CallCancellation, looksLeft: Int
  ) {
    let (isHeldBack, isParsing) = withState { ($0.isHeldBack, $0.large != nil) }
    // The answer may be in the socket, which the host doesn't read at the moment.
    if cancellation.hasEnded || isHeldBack { return }
    // A long frame is parsed soon, but a worker that sends them without end gains no time by that.
    if isParsing, looksLeft > 0 {
      connection.loop.schedule(after: Self.patience) { [weak self] in
        self?.replace(for: contribution, cancellation, looksLeft: looksLeft - 1)
      }
      return
    }
    connection.handle.report(
      .breach(
        reason: "\(contribution) didn't end a call \(Self.patience) after it was cancelled."))
  }

  /// Waits until the worker is at work; false when it ended before.
  func isStarted() async -> Bool {
    await withCheckedContinuation { continuation in
      // The question and the entry under one lock, or the start could come in between.
      let answer: Bool? = withState { state in
        if state.isClosed { return false }
        if state.session.state == .running { return true }
        state.waiting.append(continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func resumeWaiters() {
    let waiting = withState { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    // Outside of the lock: a task that goes on may use the link at once.
    for waiter in waiting { waiter.resume(returning: true) }
  }

  func finish(_ id: UInt32, _ result: Result<[UInt8], WorkerError>) {
    withState { $0.calls.removeValue(forKey: id) }?.finish(result)
  }

  func cancel(_ id: UInt32) { act { $0.session.cancel(id) } }

  private func begin(_ call: PendingCall, _ request: Invoke, began: (UInt32) -> Void) {
    var id: UInt32?
    // Refused before it is queued: a frame without space would count as a breach, and end the
    // worker for a call that somebody else made.
    guard withState({ $0.socket.hasSpace(forBody: request.input.count) }) else {
      let message = "The worker of \(plan.name) has more to read than it may be sent at a time."
      return call.finish(.failure(WorkerError(.overloaded, message)))
    }
    act { state in
      guard let (number, actions) = state.session.invoke(request) else { return [] }
      state.calls[number] = call
      id = number
      return actions
    }
    guard let id else {
      return call.finish(
        .failure(WorkerError(.closed, "The worker of \(plan.name) isn't running.")))
    }
    began(id)
  }
}

extension WorkerLink {
  /// Whether it can be called now.
  package var isAtWork: Bool { withState { !$0.isClosed && $0.session.state == .running } }
}
