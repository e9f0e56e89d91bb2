public import AgentJSON

/// What somebody said to the agent.
public struct ChatStatement: Sendable, Hashable {
  /// The words.
  public var text: String
  /// The person who said them; nil when unknown.
  public var author: String?
  /// Where they were said.
  public var room: String?
  /// When, in Unix milliseconds.
  public var timestamp: Int64

  public init(text: String, author: String? = nil, room: String? = nil, timestamp: Int64) {
    self.text = text
    self.author = author
    self.room = room
    self.timestamp = timestamp
  }

  /// The input of a logic adapter, as schemas/logic_adapter.input.json describes it.
  public var json: JSONValue {
    var statement = JSONObject()
    statement["text"] = .string(text)
    if let author { statement["author"] = .string(author) }
    if let room { statement["room"] = .string(room) }
    statement["timestamp"] = .number(JSONNumber(timestamp))
    return .object(statement)
  }
}
