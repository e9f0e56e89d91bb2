internal import AgentJSON

extension TaskOutcome {
  /// Returns the error message for a result that is too large.
  static func tooLarge(_ bytes: Int) -> String {
    "The result is too large: \(bytes) bytes, at most \(TaskBounds.resultBytes). Write an artifact "
      + "instead."
  }

  /// Returns an error message, truncated to ``TaskBounds/errorBytes``.
  static func short(_ error: String) -> String {
    guard error.utf8.count > TaskBounds.errorBytes else { return error }
    return String(decoding: error.utf8.prefix(TaskBounds.errorBytes - 4), as: UTF8.self) + "…"
  }

  /// Returns the outcome without an output that is certainly too large, before anything copies it.
  /// The state machine checks the size of the stored bytes.
  /// - Parameter redact: replaces secrets. An error is cut after that, because a cut through a
  ///   secret would keep its beginning.
  func bounded(redacting redact: (String) -> String) -> TaskOutcome {
    switch self {
    case .succeeded(let output) where output.exceeds(TaskBounds.resultBytes):
      .failed(error: Self.tooLarge(output.bytes().count), isFinal: true)
    case .failed(let error, let output, let isFinal) where output.exceeds(TaskBounds.resultBytes):
      .failed(
        error: "\(Self.short(redact(error))) \(Self.tooLarge(output.bytes().count))",
        isFinal: isFinal)
    case .cancelled(let output) where output.exceeds(TaskBounds.resultBytes): .cancelled()
    default: self
    }
  }
}
