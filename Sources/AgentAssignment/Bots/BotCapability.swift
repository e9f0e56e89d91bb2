public import AgentJSON

/// A capability of a bot: the types of task that it covers, and its limits.
public struct BotCapability: Sendable, Hashable {
  /// The valid range of ``priorityBoost``.
  public static let boosts = -10_000...10_000

  /// Unique within the bot.
  public var name: String
  /// A text for people.
  public var description: String
  public var taskTypes: [String]
  /// Added to the bot's score for these tasks.
  public var priorityBoost: Int
  /// How many of these tasks the bot takes at once. Nil means that only the bot's own limit counts.
  public var maxConcurrent: Int?

  /// Creates a capability.
  public init(
    name: String, description: String = "", taskTypes: [String], priorityBoost: Int = 0,
    maxConcurrent: Int? = nil
  ) {
    self.name = name
    self.description = description
    self.taskTypes = taskTypes
    self.priorityBoost = priorityBoost
    self.maxConcurrent = maxConcurrent
  }

  /// The capability as JSON.
  public var json: JSONObject {
    [
      "name": .string(name), "description": .string(description),
      "task_types": .array(taskTypes.map(JSONValue.string)),
      "priority_boost": JSONValue(priorityBoost),
      "max_concurrent": maxConcurrent.map { JSONValue($0) } ?? .null,
    ]
  }
}
