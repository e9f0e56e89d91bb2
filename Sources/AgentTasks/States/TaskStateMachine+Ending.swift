internal import AgentJSON
internal import AgentStore
internal import AgentSystem

/// Ends attempts and stores their results.
extension TaskStateMachine {
  /// Ends the attempt. `randomFraction` is a random number from 0 to 1 for the jitter of a retry.
  mutating func end(
    _ lease: TaskLease, _ outcome: TaskOutcome, randomFraction: Double, ageing: Int64
  ) throws(TaskError) {
    try check(lease)
    // The host survived this attempt, so the task isn't a suspect any more.
    row.hostEnds = 0
    switch outcome {
    case .succeeded(let output):
      // A pending cancellation came too late, because the work is done.
      finish(output, error: nil)
      if let bytes = oversize {
        // Another attempt would have the same result, so there is no retry.
        let error = TaskOutcome.tooLarge(bytes)
        return try fail(error, output: .null, isFinal: true, randomFraction: randomFraction)
      }
      try move(to: .succeeded, note: nil)
    case .cancelled(let output):
      finish(output, error: "It was cancelled.")
      if let bytes = oversize {
        finish(.null, error: "It was cancelled. \(TaskOutcome.tooLarge(bytes))")
      }
      try move(to: .cancelled, note: nil)
    // If it were scheduled, it would begin again although it was cancelled.
    case .snoozed(_, let note) where row.cancelling != nil: try stop(note)
    case .snoozed(let milliseconds, let note):
      try schedule(at: now.adding(max(0, milliseconds)), note: note.isEmpty ? "snoozed" : note)
    case .failed(let error, let output, let isFinal):
      try fail(error, output: output, isFinal: isFinal, randomFraction: randomFraction)
    }
  }

  /// Ends the attempt with a failure. The task is retried if an attempt is left.
  mutating func fail(
    _ error: String, output: JSONValue, isFinal: Bool, randomFraction: Double
  ) throws(TaskError) {
    row.failures = row.failures.adding(1)
    var error = TaskOutcome.short(error)
    finish(output, error: error)
    if let bytes = oversize {
      error += " \(TaskOutcome.tooLarge(bytes))"
      finish(.null, error: error)
    }
    if row.cancelling != nil { return try move(to: .cancelled, note: error) }
    let retry = definition.retry
    // `dead` means that all retries are used. This task had none.
    if isFinal || retry.attempts <= 1 { return try move(to: .failed, note: error) }
    guard let wait = retry.wait(after: row.failures, randomFraction: randomFraction) else {
      return try move(to: .dead, note: error)
    }
    let moment = now.adding(wait)
    // The retry would begin after the total time-out, which ends the task.
    if let end = total(definition), moment >= end {
      return try move(to: .dead, note: "\(error) No attempt is left before the total time-out.")
    }
    try schedule(at: moment, note: error)
  }

  /// Stores `{output, error, execution_time, timestamp}`. ``TaskReport`` adds the status.
  mutating func finish(_ output: JSONValue, error: String?) {
    let seconds =
      row.state == .running ? row.started.map { Double(now.subtracting($0)) / 1000 } : nil
    row.result = TaskRow.result(output, error: error, seconds: seconds ?? 0, at: now)
  }

  /// The size of the result in bytes if it exceeds the limit, else `nil`.
  private var oversize: Int? {
    row.result.map(\.count).flatMap { $0 > TaskBounds.resultBytes ? $0 : nil }
  }
}
