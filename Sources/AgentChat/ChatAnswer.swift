public import AgentJSON

/// The answer of one logic adapter.
public struct ChatAnswer: Sendable, Hashable {
  /// The adapter's confidence, from 0 (the statement isn't for this adapter) to 1.
  public var confidence: Double
  /// The answer for a person.
  public var text: String
  /// Values for a program. `nil` if there are none.
  public var data: JSONValue?

  public init(confidence: Double, text: String, data: JSONValue? = nil) {
    self.confidence = confidence
    self.text = text
    self.data = data
  }

  /// Reads the output of a logic adapter. Returns `nil` for null and for confidence 0, which both
  /// mean that the adapter has no answer.
  /// - Throws: `ChatError` with `badAnswer` if the output has another shape than an answer.
  public init?(adapterOutput output: JSONValue) throws(ChatError) {
    if case .null = output { return nil }
    guard let confidence = output["confidence"]?.double, confidence.isFinite,
      (0...1).contains(confidence)
    else {
      throw ChatError(
        code: .badAnswer,
        message: "The answer needs a \"confidence\" from 0 to 1; found "
          + "\(output["confidence"]?.text() ?? "none").")
    }
    // An adapter without an answer needs no text, so this check comes before that of the text.
    guard confidence > 0 else { return nil }
    guard let text = output["text"]?.string else {
      throw ChatError(code: .badAnswer, message: "The answer needs a \"text\".")
    }
    self.init(confidence: confidence, text: text, data: output["data"])
  }
}

/// The reason why there is no answer, or none from one adapter.
public struct ChatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: String, Sendable {
    /// No logic adapter is enabled.
    case noAdapters = "no_adapters"
    /// The output of an adapter doesn't have the shape of an answer.
    case badAnswer = "bad_answer"
    /// An adapter couldn't be called, or it failed.
    case adapterFailed = "adapter_failed"
    /// An adapter didn't answer within its time.
    case timedOut = "timed_out"
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence for the person who asked.
  public let message: String
  public var description: String { message }

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}

/// A source of answers: a logic adapter of a module, or a part of the host.
public protocol ChatAdapter: Sendable {
  /// The name shown beside an answer, such as `system/system_status`.
  var name: String { get }
  /// Returns an answer, or `nil` if the statement isn't for this adapter. Called on any thread, for
  /// several statements at the same time. The task is cancelled when the time is over.
  func answer(_ statement: ChatStatement, timeout: Duration) async throws -> ChatAnswer?
}
