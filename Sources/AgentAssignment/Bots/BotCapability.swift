public import AgentJSON

/// Something that a bot can do.
public struct BotCapability: Sendable, Hashable {
  /// What a priority boost may be.
  public static let boosts = -10_000...10_000

  /// Its name, unique within the bot.
  public var name: String
  /// What it is, for people.
  public var description: String
  /// The types of task that it covers.
  public var taskTypes: [String]
  /// What is added to the bot's score for these tasks.
  public var priorityBoost: Int
  /// How many of these tasks the bot takes at once; nil where only the bot's own limit counts.
  public var maxConcurrent: Int?

  /// A capability.
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

  /// As it is written in JSON.
  public var json: JSONObject {
    [
      "name": .string(name), "description": .string(description),
      "task_types": .array(taskTypes.map(JSONValue.string)),
      "priority_boost": JSONValue(priorityBoost),
      "max_concurrent": maxConcurrent.map { JSONValue($0) } ?? .null,
    ]
  }
}
