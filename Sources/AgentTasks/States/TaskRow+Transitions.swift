internal import AgentJSON
internal import AgentStore

/// The columns that a transition changes together.
extension TaskRow {
  /// Nobody has the task now, and nobody waits for its cancellation.
  mutating func removeHolder() {
    owner = nil
    cancelling = nil
    finished = nil
  }

  /// Removes what an ended run of the task left.
  mutating func removeOutcome() {
    started = nil
    finished = nil
    result = nil
    progress = nil
  }

  /// Nothing is due for an ended task.
  mutating func end(at now: Int64) {
    finished = now
    owner = nil
    wake = nil
    runAt = nil
    cancelling = nil
    escalateAt = nil
  }

  /// `{output, error, execution_time, timestamp}` in JSON.
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
