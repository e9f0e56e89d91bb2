internal import AgentJSON

extension TaskOutcome {
  /// Why a result isn't stored.
  static func tooLarge(_ bytes: Int) -> String {
    "The result is too large: \(bytes) bytes, at most \(TaskBounds.resultBytes). Write an artifact "
      + "instead."
  }

  /// An error of a length that can be read.
  static func short(_ error: String) -> String {
    guard error.utf8.count > TaskBounds.errorBytes else { return error }
    return String(decoding: error.utf8.prefix(TaskBounds.errorBytes - 4), as: UTF8.self) + "…"
  }

  /// The outcome without an output that is certainly too large, before anything copies it. The state
  /// machine looks at the bytes that are stored.
  func bounded() -> TaskOutcome {
    switch self {
    case .succeeded(let output) where output.exceeds(TaskBounds.resultBytes):
      .failed(error: Self.tooLarge(output.bytes().count), isFinal: true)
    case .failed(let error, let output, let isFinal) where output.exceeds(TaskBounds.resultBytes):
      .failed(
        error: "\(Self.short(error)) \(Self.tooLarge(output.bytes().count))", isFinal: isFinal)
    case .cancelled(let output) where output.exceeds(TaskBounds.resultBytes): .cancelled()
    default: self
    }
  }
}
