public import AgentJSON

/// What matters of a task when it is decided who gets it.
public struct AssignmentTask: Sendable, Hashable {
  /// Its id, as it is shown.
  public var id: String
  /// Its type, such as `data_backup`: who takes it has a capability with this type.
  public var type: String
  /// How soon it is wanted.
  public var priority: TaskPriority
  /// The one bot that may have it; nil for any.
  public var pinned: String?
  /// The type that the bot has to be of; nil for any.
  public var botType: BotType?
  /// The name of the capability that is asked for; nil for any with the task's type.
  public var capability: String?
  /// The ids of bots that don't get it: they have rejected it, or let an offer pass.
  public var excluded: Set<String>
  /// Since when it waits, in Unix milliseconds.
  public var waitingSince: Int64
  /// What else a strategy of a module is told of it.
  public var details: JSONObject

  /// A task; anybody who has its type may have it unless more is said.
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

  /// What a strategy of a module is told: ``details``, and over them what is known here.
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
