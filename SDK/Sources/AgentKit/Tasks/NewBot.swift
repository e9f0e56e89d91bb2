/// The description of a bot: its name, its capabilities, and how many tasks it takes at once.
///
/// ```swift
/// let bot = NewBot("DataBot", capabilities: [.init("backup", for: ["data_backup"], boost: 10)])
/// ```
public struct NewBot: Sendable, Hashable {
  /// Something that a bot can do.
  public struct Capability: Sendable, Hashable {
    /// Its name, unique within the bot.
    public var name: String
    /// The task types that it covers.
    public var taskTypes: [String]
    /// A description for people.
    public var description: String?
    /// The number that it adds to the bot's score.
    public var priorityBoost = 0
    /// How many of these tasks the bot takes at once; nil for no limit but the bot's own.
    public var maxConcurrent: Int?

    /// Makes a capability.
    public init(_ name: String, for taskTypes: [String], boost: Int = 0) {
      self.name = name
      self.taskTypes = taskTypes
      priorityBoost = boost
    }

    var json: JSONValue {
      var object: JSONObject = [
        "name": .string(name), "task_types": .array(taskTypes.map(JSONValue.string)),
        "priority_boost": JSONValue(priorityBoost),
      ]
      object["description"] = description.map(JSONValue.string)
      object["max_concurrent"] = maxConcurrent.map { JSONValue($0) }
      return .object(object)
    }
  }

  /// The name for people.
  public var name: String
  /// `system`, `worker`, `monitor`, `specialist`, `assistant`, `user`, or one of the agent's own.
  public var type = "worker"
  /// The bot's capabilities.
  public var capabilities: [Capability]
  /// How many tasks it takes at once.
  public var maxConcurrentTasks = 1
  /// The priority levels that the bot prefers.
  public var priorityPreference: [String] = []
  /// Any data that the bot's owner keeps with it.
  public var metadata: JSONObject = [:]

  /// Makes a bot.
  public init(_ name: String, capabilities: [Capability], maxConcurrentTasks: Int = 1) {
    (self.name, self.capabilities) = (name, capabilities)
    self.maxConcurrentTasks = maxConcurrentTasks
  }

  var json: JSONObject {
    [
      "name": .string(name), "bot_type": .string(type),
      "capabilities": .array(capabilities.map(\.json)),
      "max_concurrent_tasks": JSONValue(maxConcurrentTasks),
      "priority_preference": .array(priorityPreference.map(JSONValue.string)),
      "metadata": .object(metadata),
    ]
  }
}
