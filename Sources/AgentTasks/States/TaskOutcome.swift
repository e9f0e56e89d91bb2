public import AgentJSON

/// The outcome of an attempt.
public enum TaskOutcome: Sendable, Equatable {
  /// The attempt succeeded with this output.
  case succeeded(JSONValue)
  /// The attempt failed.
  ///
  /// - Parameters:
  ///   - error: a sentence for people.
  ///   - output: the partial output.
  ///   - isFinal: whether a retry would fail too.
  case failed(error: String, output: JSONValue = .null, isFinal: Bool = false)
  /// The attempt was too early. The task is retried after `milliseconds`, which doesn't count as a
  /// failure.
  case snoozed(milliseconds: Int64, note: String = "")
  /// The attempt stopped because it was cancelled.
  case cancelled(output: JSONValue = .null)
}
