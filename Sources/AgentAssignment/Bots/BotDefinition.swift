public import AgentJSON

/// The description of a bot that its owner sends when the bot is registered.
public struct BotDefinition: Sendable, Hashable {
  /// The valid range of ``maxConcurrentTasks``.
  public static let concurrency = 1...100_000

  /// A name for people.
  public var name: String
  public var type: BotType
  public var capabilities: [BotCapability]
  /// How many tasks it takes at once.
  public var maxConcurrentTasks: Int
  /// The priority levels for which the bot is preferred. Empty means no preference.
  public var priorityPreference: [PriorityLevel]
  /// Data that the owner keeps with the bot. It is not interpreted.
  public var metadata: JSONObject
  /// How the owner can be reached.
  public var contactInfo: JSONObject
  /// The address that offers are sent to. Nil means that the bot asks for its offers.
  public var webhook: BotWebhook?

  /// Creates a definition.
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

  /// The definition as JSON. ``BotDefinitionReader`` reads it back.
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

  /// The capabilities that cover a type of task, the best first. Equal ones keep the order in which
  /// they are written.
  func capabilities(for type: String) -> [(position: Int, capability: BotCapability)] {
    capabilities.enumerated().filter { $0.element.taskTypes.contains(type) }
      .map { (position: $0.offset, capability: $0.element) }
      .sorted {
        ($1.capability.priorityBoost, $0.position) < ($0.capability.priorityBoost, $1.position)
      }
  }
}
