/// Answers chat messages. The host takes the answer with the highest confidence.
public protocol LogicAdapter: Contribution {
  /// Answers, or returns `nil` when the statement isn't for this adapter. The host calls it for
  /// every statement, several at a time: return `nil` quickly. It begins on the module's thread and
  /// leaves it at the first `await` that waits. Start a long computation only after one, such as
  /// `await Task.yield()`.
  func respond(to statement: Statement) async throws -> Answer?
}

/// Something that a person said in a chat.
public struct Statement: Sendable, Hashable {
  /// What was said.
  public var text: String
  /// The conversation that it belongs to.
  public var session: String?
  /// The author of the message; `nil` when unknown.
  public var author: String?
  /// When, in Unix milliseconds.
  public var timestamp: Int64?

  /// Makes a statement.
  public init(
    _ text: String, session: String? = nil, author: String? = nil, timestamp: Int64? = nil
  ) {
    self.text = text
    self.session = session
    self.author = author
    self.timestamp = timestamp
  }

  /// The words in order, in lower case and without punctuation.
  public var words: [String] {
    text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'") }.map(String.init)
  }
}

extension Statement {
  init(_ node: JSONNode) throws(ModuleError) {
    guard let text = node["text"]?.string else {
      throw ModuleError(.invalidArgument, "A statement needs a \"text\".")
    }
    self.init(
      text, session: node["session"]?.string,
      author: node["author"]?.string ?? node["author"]?["name"]?.string,
      timestamp: node["timestamp"]?.int.map(Int64.init))
  }
}

/// An adapter's answer.
public struct Answer: Sendable, Hashable {
  /// The text of the answer.
  public var text: String
  /// How sure the adapter is that the statement was meant for it, from 0 to 1. An answer with 0 is
  /// never used.
  public var confidence: Double
  /// The answer as data for programs, where there is any.
  public var data: JSONValue?

  /// Makes an answer. A confidence outside 0 to 1 is clamped to that range.
  public init(_ text: String, confidence: Double, data: JSONValue? = nil) {
    self.text = text
    self.confidence = confidence.isNaN ? 0 : min(max(confidence, 0), 1)
    self.data = data
  }

  var json: JSONValue {
    var object: JSONObject = ["text": .string(text), "confidence": JSONValue(confidence)]
    object["data"] = data
    return .object(object)
  }
}
