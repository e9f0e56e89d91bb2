public import AgentJSON

/// The facts about a task that a decision needs.
public struct AssignmentTask: Sendable, Hashable {
  /// The id as it is shown.
  public var id: String
  /// The type, such as `data_backup`. A bot needs a capability with this type.
  public var type: String
  public var priority: TaskPriority
  /// The only bot that may have the task. Nil allows any bot.
  public var pinned: String?
  /// The type that the bot must have. Nil allows any type.
  public var botType: BotType?
  /// The name of the capability that is asked for. Nil allows any with the task's type.
  public var capability: String?
  /// The ids of bots that don't get the task, because they rejected it or let an offer expire.
  public var excluded: Set<String>
  /// Since when the task waits, in Unix milliseconds.
  public var waitingSince: Int64
  /// Further facts for a module's strategy.
  public var details: JSONObject

  /// Creates a task. Without further arguments, any bot with its type may have it.
  public init(
    id: String, type: String, priority: TaskPriority = .normal, pinned: String? = nil,
    botType: BotType? = nil, capability: String? = nil, excluded: Set<String> = [],
    waitingSince: Int64 = 0, details: JSONObject = [:]
  ) {
    self.id = id
    self.type = type
    self.priority = priority
    self.pinned = pinned
    self.botType = botType
    self.capability = capability
    self.excluded = excluded
    self.waitingSince = waitingSince
    self.details = details
  }

  /// The task as a module's strategy sees it: ``details``, overwritten by the members of this type.
  public var json: JSONObject {
    var object = details
    object["id"] = .string(id)
    object["type"] = .string(type)
    object["priority"] = JSONValue(priority.value)
    object["priority_level"] = .string(priority.level.rawValue)
    object["bot"] = pinned.map(JSONValue.string)
    object["bot_type"] = (botType?.name).map(JSONValue.string)
    object["capability"] = capability.map(JSONValue.string)
    object["excluded"] = .array(excluded.sorted().map(JSONValue.string))
    object["waiting_since"] = JSONValue(waitingSince)
    return object
  }
}
