internal import AgentSupervision
internal import AgentTraces
package import AgentWorkerProtocol

/// A call of the host that hasn't ended.
struct PendingCall: Sendable {
  /// Receives the parts and the log records of the call before its end.
  let listener: CallListener
  /// Called once, with the result.
  let finish: @Sendable (Result<[UInt8], WorkerError>) -> Void
}

extension WorkerLink {
  /// The time in which a cancelled call must end. After this time the worker is replaced.
  static let patience = Duration.seconds(2)

  /// Calls a contribution and returns its answer. Any thread.
  ///
  /// A call that hasn't ended after `timeout` is cancelled. If the worker doesn't end it within two
  /// more seconds, the worker is looked at once more and replaced.
  /// - Throws: `closed` if the worker ends or isn't running, `overloaded` if the worker hasn't read
  ///   the frames that were sent before, `deadlineExceeded` after `timeout`, or the error of the
  ///   module.
  package func invoke(
    _ contribution: ContributionName, input: [UInt8], deadline: Int64, timeout: Duration,
    listener: CallListener = CallListener()
  ) async throws(WorkerError) -> [UInt8] {
    let cancellation = CallCancellation()
    let timer = watch(contribution, timeout: timeout, cancellation: cancellation)
    defer { connection.loop.cancel(timer) }
    let request = Invoke(
      contribution: contribution, input: input, deadline: deadline,
      traceparent: Tracer.current?.traceparent,
      tracestate: Tracer.current?.state?.description)
    let result = await result(of: request, cancellation, listener)
    // Checked before the result, because the module's error of a cancelled call isn't the reason
    // why it ended.
    if cancellation.isOverdue {
      throw WorkerError(.deadlineExceeded, "\(contribution) didn't answer within \(timeout).")
    }
    return try result.get()
  }

  /// Calls a contribution and returns its answer, without a time-out. Any thread.
  ///
  /// If the waiting task is cancelled, the host sends CANCEL. The call still ends only when the
  /// worker ends it, or when the worker's process ends.
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
        let call = PendingCall(listener: listener) { result in
          // The call ends here and not when the caller goes on, because the time-out may pass in
          // between. It would turn a result that has arrived into an error.
          cancellation.end()
          continuation.resume(returning: result)
        }
        begin(call, request) { id in
          // The task was cancelled before the call had a number. CANCEL couldn't be sent then.
          if cancellation.began(id) { self.cancel(id) }
        }
      }
    } onCancel: {
      if let id = cancellation.cancel() { self.cancel(id) }
    }
  }

  /// Sets a timer that cancels a call after `timeout`, and then one that replaces the worker after
  /// ``patience``. Returns the first, so that the caller can cancel it.
  ///
  /// Rationale: timers of the loop, because tasks that sleep cost more than the call itself. One
  /// after the other, because both would be due at once after a stall of the loop. The worker would
  /// be ended before it can read CANCEL.
  private func watch(
    _ contribution: ContributionName, timeout: Duration, cancellation: CallCancellation
  ) -> LoopTimer {
    connection.loop.schedule(after: timeout) { [weak self] in
      guard let self, !cancellation.hasEnded else { return }
      if let id = cancellation.cancel(isOverdue: true) { cancel(id) }
      look(for: contribution, cancellation, after: Self.patience, Looks())
    }
  }

  /// The further checks for the end of a cancelled call.
  private struct Looks {
    /// The number of those while a long frame is parsed.
    var whileParsing = 5
    /// The number of those while events exceed their limit and are stored: five minutes.
    var whileHeldBack = 150
    /// The bytes of events that were stored before the last one.
    var published: Int?
    /// Whether the next one is the last.
    var isLast = false
  }

  /// Checks after a pause whether a cancelled call has ended. Any thread.
  private func look(
    for contribution: ContributionName, _ cancellation: CallCancellation, after pause: Duration,
    _ looks: Looks
  ) {
    connection.loop.schedule(after: pause) { [weak self] in
      self?.replace(for: contribution, cancellation, looks)
    }
  }

  /// Reports a breach if a cancelled call hasn't ended. The supervisor then replaces the worker. On
  /// the loop's thread.
  private func replace(
    for contribution: ContributionName, _ cancellation: CallCancellation, _ looks: Looks
  ) {
    var looks = looks
    let (isHeldBack, isParsing) = withState { ($0.isHeldBack, $0.large != nil) }
    let published = withState(\.published)
    if cancellation.hasEnded { return }
    // While events exceed their limit, the host doesn't read the socket. The answer may be there. The
    // number of checks is limited, because a worker that publishes without end would never end its
    // call. While nothing is stored, the worker can't help it, and the check doesn't count.
    if isHeldBack, looks.whileHeldBack > 0 {
      if looks.published != published { looks.whileHeldBack -= 1 }
      looks.published = published
      return look(for: contribution, cancellation, after: Self.patience, looks)
    }
    // A long frame is parsed soon. The number of checks is limited, so that a worker can't gain
    // time by sending long frames without end.
    if isParsing, looks.whileParsing > 0 {
      looks.whileParsing -= 1
      return look(for: contribution, cancellation, after: Self.patience, looks)
    }
    // The answer may lie unread, as that of a child that seems silent.
    if !looks.isLast {
      looks.isLast = true
      return look(for: contribution, cancellation, after: ChildMachine.secondLookPause, looks)
    }
    connection.handle.report(
      .breach(
        reason: "\(contribution) didn't end a call \(Self.patience) after it was cancelled."))
  }

  /// Waits until the worker is running. Returns false if it ended before. Any thread.
  func isStarted() async -> Bool {
    await withCheckedContinuation { continuation in
      // The state is checked and the continuation is stored under one lock. Otherwise the worker
      // could start in between.
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
    // Outside the lock, because a resumed task may use the link at once.
    for waiter in waiting { waiter.resume(returning: true) }
  }

  func finish(_ id: UInt32, _ result: Result<[UInt8], WorkerError>) {
    withState { $0.calls.removeValue(forKey: id) }?.finish(result)
  }

  func cancel(_ id: UInt32) { act { $0.session.cancel(id) } }

  private func begin(_ call: PendingCall, _ request: Invoke, began: (UInt32) -> Void) {
    // Encoded outside the lock, because an input may have megabytes.
    let body = request.json
    var beginning = Beginning.refused(
      WorkerError(.closed, "The worker of \(plan.name) isn't running."))
    act { state in
      // Checked under the lock that queues the frame, by the size that is queued. A frame without
      // space would count as a breach, and the worker would be ended because of a call that another
      // caller made.
      guard state.session.state != .running || state.socket.hasSpace(forCall: body.count) else {
        let message = "The worker of \(plan.name) has more to read than it may be sent at a time."
        beginning = .refused(WorkerError(.overloaded, message))
        return []
      }
      guard let (number, actions) = state.session.invoke(body: body) else { return [] }
      state.calls[number] = call
      beginning = .begun(number)
      return actions
    }
    switch beginning {
    case .begun(let id): began(id)
    case .refused(let error): call.finish(.failure(error))
    }
  }

  private enum Beginning {
    case begun(UInt32)
    case refused(WorkerError)
  }
}

extension WorkerLink {
  /// Whether the worker is running and accepts calls. Any thread.
  package var isAtWork: Bool { withState { !$0.isClosed && $0.session.state == .running } }
}
