public import AgentJSON

/// Reads descriptions of bots. Reports every problem at once, each with its place.
///
/// `name` is required. `bot_type` defaults to `worker` and `max_concurrent_tasks` to 1. Null counts
/// as absent.
public struct BotDefinitionReader: Sendable {
  /// The valid bot types.
  public let types: [String]
  /// The types of task that a capability may name. Nil allows any type.
  public let taskTypes: [String]?

  /// Creates a reader for the built-in bot types and the custom types of an agent.
  public init(customTypes: [String] = [], taskTypes: [String]? = nil) {
    types = BotType.builtIn.map(\.name) + customTypes
    self.taskTypes = taskTypes
  }

  /// Returns the bot that a value describes.
  public func read(_ node: JSONNode) throws(AssignmentProblems) -> BotDefinition {
    var fields = FieldReader(node)
    fields.allow([
      "name", "bot_type", "capabilities", "max_concurrent_tasks", "priority_preference",
      "metadata", "contact_info", "webhook",
    ])
    let name = fields.name("name")
    let type = fields.choice("bot_type", of: types, kind: "bot type")
    let capabilities = capabilities(&fields)
    let most = fields.integer("max_concurrent_tasks", in: BotDefinition.concurrency)
    let preference = preference(&fields)
    let metadata = fields.object("metadata")
    let contact = fields.object("contact_info")
    let webhook = webhook(&fields)
    guard fields.problems.isEmpty, let name else {
      throw AssignmentProblems(problems: fields.problems)
    }
    return BotDefinition(
      name: name, type: type.map { BotType($0) } ?? .worker, capabilities: capabilities,
      maxConcurrentTasks: most ?? 1, priorityPreference: preference, metadata: metadata ?? [:],
      contactInfo: contact ?? [:], webhook: webhook)
  }

  private func webhook(_ fields: inout FieldReader) -> BotWebhook? {
    guard let node = fields.member("webhook") else { return nil }
    var inner = FieldReader(node)
    inner.allow(["url", "secret"])
    let url = inner.text("url")
    let secret = inner.string("secret")
    fields.problems += inner.problems
    return url.map { BotWebhook(url: $0, secret: secret) }
  }

  private func capabilities(_ fields: inout FieldReader) -> [BotCapability] {
    var capabilities: [BotCapability] = []
    var names: Set<String> = []
    for node in fields.elements("capabilities", atMost: 1000) {
      var inner = FieldReader(node)
      let capability = capability(&inner)
      fields.problems += inner.problems
      guard let capability else { continue }
      if !names.insert(capability.name).inserted {
        fields.report(
          .duplicate, at: node,
          "Another capability of this bot is called \"\(capability.name)\". Choose another name.")
      }
      capabilities.append(capability)
    }
    return capabilities
  }

  private func capability(_ fields: inout FieldReader) -> BotCapability? {
    fields.allow(["name", "description", "task_types", "priority_boost", "max_concurrent"])
    let name = fields.name("name")
    let description = fields.string("description")
    let types = fields.names("task_types", of: taskTypes, kind: "task type")
    let boost = fields.integer("priority_boost", in: BotCapability.boosts)
    let most = fields.integer("max_concurrent", in: BotDefinition.concurrency)
    guard let name, let types else { return nil }
    return BotCapability(
      name: name, description: description ?? "", taskTypes: types, priorityBoost: boost ?? 0,
      maxConcurrent: most)
  }

  private func preference(_ fields: inout FieldReader) -> [PriorityLevel] {
    var levels: [PriorityLevel] = []
    for node in fields.elements("priority_preference", atMost: 1000) {
      do throws(AssignmentProblem) {
        let level = try TaskPriority(reading: node).level
        if !levels.contains(level) { levels.append(level) }
      } catch {
        fields.problems.append(error)
      }
    }
    return levels
  }
}
