internal import AgentSupervision
internal import AgentWorkerProtocol

extension WorkerLink {
  /// The pause in reading when frames come too fast. The worker then waits in `send`.
  private static let pause: Duration = .milliseconds(50)

  /// Writes a log record of the worker to the log and passes it to the listener of its call. On the
  /// loop's thread.
  ///
  /// A record that comes too fast is dropped and counted. Otherwise one worker could fill the log,
  /// and the records of the host and of other workers would be hard to find.
  func take(_ record: AgentWorkerProtocol.LogRecord) {
    let now = connection.loop.now
    let dropped = withState { state in
      state.records.refill(at: now)
      return state.records.take(bytes: record.message.utf8.count)
    }
    guard let dropped else { return pauseReading() }
    // The loss is logged before the record that came after it.
    report(dropped: dropped)
    log(record.level, record.message)
    guard record.call != 0 else { return }
    withState { $0.calls[record.call]?.listener }?.log(record.level.name, record.message)
  }

  func report(dropped: Int) {
    guard dropped > 0 else { return }
    services.recordsDropped(plan.name, dropped)
    caller.refusals.count("records", dropped)
    log(.warning, "\(dropped) of its log records were dropped: they came too fast.")
  }

  func log(_ level: WireLevel, _ message: String) {
    services.log(WorkerLogRecord(process: plan.name, level: level, message: message))
  }

  /// Stops reading from the worker for a moment. On the loop's thread.
  func pauseReading() {
    let isNew = withState { state in
      defer { state.isPaused = true }
      return !state.isPaused
    }
    // One timer at a time, because each refused record and frame calls this.
    guard isNew else { return }
    // An empty change, which sets the loop's interest to the new state.
    act { _ in [] }
    connection.loop.schedule(after: Self.pause) { [weak self] in
      self?.act { state in
        state.isPaused = false
        return []
      }
    }
  }
}
