public import AgentJSON

/// What one logic adapter has to say.
public struct ChatAnswer: Sendable, Hashable {
  /// How sure the adapter is, from 0 (not for me) to 1.
  public var confidence: Double
  /// The answer for a person.
  public var text: String
  /// The answer for a program, where there is one.
  public var data: JSONValue?

  public init(confidence: Double, text: String, data: JSONValue? = nil) {
    self.confidence = confidence
    self.text = text
    self.data = data
  }

  /// Reads the output of a logic adapter; nil means that it has nothing to say.
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
    guard confidence > 0 else { return nil }
    guard let text = output["text"]?.string else {
      throw ChatError(code: .badAnswer, message: "The answer needs a \"text\".")
    }
    self.init(confidence: confidence, text: text, data: output["data"])
  }
}

/// Why there is no answer, or not from one adapter.
public struct ChatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: String, Sendable {
    /// No logic adapter is enabled.
    case noAdapters = "no_adapters"
    /// An adapter's output hasn't the shape of an answer.
    case badAnswer = "bad_answer"
    /// An adapter could not be asked or failed.
    case adapterFailed = "adapter_failed"
    /// An adapter didn't answer in time.
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

/// Somebody who can answer statements: a module's logic adapter, or one of the host's own.
public protocol ChatAdapter: Sendable {
  /// The name shown beside an answer, such as `system/system_status`.
  var name: String { get }
  /// Answers, or returns nil where the statement isn't for this adapter. Called on any thread, for
  /// several statements at once; cancelled when the time is up.
  func answer(_ statement: ChatStatement, timeout: Duration) async throws -> ChatAnswer?
}
