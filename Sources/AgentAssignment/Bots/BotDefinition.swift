public import AgentJSON

/// What somebody says of a bot when it is registered.
public struct BotDefinition: Sendable, Hashable {
  /// How many tasks a bot may be allowed at once.
  public static let concurrency = 1...100_000

  /// Its name, for people.
  public var name: String
  /// What kind of bot it is.
  public var type: BotType
  /// What it can do.
  public var capabilities: [BotCapability]
  /// How many tasks it takes at once.
  public var maxConcurrentTasks: Int
  /// The priorities that it is best given; empty where it doesn't matter.
  public var priorityPreference: [PriorityLevel]
  /// What its owner wants to keep with it.
  public var metadata: JSONObject
  /// How its owner is reached.
  public var contactInfo: JSONObject
  /// Where it wants to be told what it is offered; nil where it asks.
  public var webhook: BotWebhook?

  /// A bot as somebody describes it.
  public init(
    name: String, type: BotType = .worker, capabilities: [BotCapability] = [],
    maxConcurrentTasks: Int = 1, priorityPreference: [PriorityLevel] = [],
    metadata: JSONObject = [:], contactInfo: JSONObject = [:],
    webhook: BotWebhook? = nil
  ) {
    self.name = name
    self.type = type
    self.capabilities = capabilities
    self.maxConcurrentTasks = maxConcurrentTasks
    self.priorityPreference = priorityPreference
    self.metadata = metadata
    self.contactInfo = contactInfo
    self.webhook = webhook
  }

  /// As it is written in JSON; ``BotReader`` reads it back.
  public var json: JSONObject {
    var object: JSONObject = [
      "name": .string(name), "bot_type": .string(type.name),
      "capabilities": .array(capabilities.map { .object($0.json) }),
      "max_concurrent_tasks": JSONValue(maxConcurrentTasks),
      "priority_preference": .array(priorityPreference.map { .string($0.rawValue) }),
      "metadata": .object(metadata), "contact_info": .object(contactInfo),
    ]
    object["webhook"] = webhook?.json
    return object
  }

  /// The capabilities that cover a type of task, the best first; among equals the one that is
  /// written first.
  func capabilities(for type: String) -> [(position: Int, capability: BotCapability)] {
    capabilities.enumerated().filter { $0.element.taskTypes.contains(type) }
      .map { (position: $0.offset, capability: $0.element) }
      .sorted {
        ($1.capability.priorityBoost, $0.position) < ($0.capability.priorityBoost, $1.position)
      }
  }
}
