public import AgentJSON

/// A message from a person to the agent.
public struct ChatStatement: Sendable, Hashable {
  /// The text of the message.
  public var text: String
  /// The person who wrote the message. `nil` if unknown.
  public var author: String?
  /// The conversation or the channel of the message. `nil` if unknown.
  public var room: String?
  /// The time of the message, in Unix milliseconds.
  public var timestamp: Int64

  public init(text: String, author: String? = nil, room: String? = nil, timestamp: Int64) {
    self.text = text
    self.author = author
    self.room = room
    self.timestamp = timestamp
  }

  /// The input of a logic adapter, in the form of `schemas/logic_adapter.input.json`.
  public var json: JSONValue {
    var statement = JSONObject()
    statement["text"] = .string(text)
    if let author { statement["author"] = .string(author) }
    if let room { statement["room"] = .string(room) }
    statement["timestamp"] = .number(JSONNumber(timestamp))
    return .object(statement)
  }
}
