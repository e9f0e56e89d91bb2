internal import AgentJSON
internal import AgentStore

/// Changes the columns that belong together in a transition.
extension TaskRow {
  /// Removes the owner and a pending cancellation.
  mutating func removeHolder() {
    owner = nil
    cancelling = nil
    finished = nil
  }

  /// Removes the result of a former run.
  mutating func removeOutcome() {
    started = nil
    finished = nil
    result = nil
    progress = nil
  }

  /// Ends a task and removes its due times.
  mutating func end(at now: Int64) {
    finished = now
    owner = nil
    wake = nil
    runAt = nil
    cancelling = nil
    escalateAt = nil
  }

  /// Returns `{output, error, execution_time, timestamp}` as JSON.
  static func result(
    _ output: JSONValue, error: String?, seconds: Double, at now: Int64
  ) -> [UInt8] {
    var result = JSONWriter()
    result.beginObject()
    result.key("output")
    result.value(output)
    result.key("error")
    if let error { result.string(error) } else { result.null() }
    result.key("execution_time")
    result.number(seconds)
    result.key("timestamp")
    result.number(now)
    result.endObject()
    return result.bytes
  }
}
