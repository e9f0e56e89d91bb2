public import AgentJSON

/// How an attempt ended.
public enum TaskOutcome: Sendable, Equatable {
  /// It is done.
  case succeeded(JSONValue)
  /// It could not be done.
  ///
  /// - Parameters:
  ///   - error: a sentence for people.
  ///   - output: what came of it all the same.
  ///   - isFinal: trying again is of no use.
  case failed(error: String, output: JSONValue = .null, isFinal: Bool = false)
  /// It isn't the time for it yet: try again after `milliseconds`. That is no failure.
  case snoozed(milliseconds: Int64, note: String = "")
  /// It has stopped because somebody asked for it.
  case cancelled(output: JSONValue = .null)
}
