internal import AgentSupervision
internal import AgentWorkerProtocol

extension WorkerLink {
  /// The pause in a flood. The worker then waits in `send`.
  private static let pause: Duration = .milliseconds(50)

  /// Takes a record. When they come too fast they are counted instead: a worker that floods must
  /// not drown what others and the host itself have to say.
  func take(_ record: AgentWorkerProtocol.LogRecord) {
    let now = connection.loop.now
    let dropped = withState { state in
      state.records.refill(at: now)
      return state.records.take(bytes: record.message.utf8.count)
    }
    guard let dropped else { return pauseReading() }
    // First the loss and then the record that came after it.
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

  /// Reads nothing for a moment.
  func pauseReading() {
    let isNew = withState { state in
      defer { state.isPaused = true }
      return !state.isPaused
    }
    // One timer: each record of a flood comes here.
    guard isNew else { return }
    // Has the loop's interest worked out anew, without an action of its own.
    act { _ in [] }
    connection.loop.schedule(after: Self.pause) { [weak self] in
      self?.act { state in
        state.isPaused = false
        return []
      }
    }
  }
}
