public import AgentJSON

/// A registered bot, which can be given tasks. It represents a module's action, a process, an
/// outside program or a person.
public struct Bot: Sendable, Hashable {
  /// `bot-` and a UUID. The caller that registers the bot makes it.
  public let id: String
  public var definition: BotDefinition
  /// Types of task that the bot isn't given, although its capabilities cover them.
  public internal(set) var withheld: Set<String> = []
  public var lifecycle: BotStateMachine
  /// The number of tasks that the bot has.
  public internal(set) var load: BotLoad
  /// When it was registered, in Unix milliseconds.
  public let registered: Int64
  /// When the last heartbeat arrived, in Unix milliseconds.
  public var lastHeartbeat: Int64
  /// When its last task began or ended, in Unix milliseconds. Before its first task, this is the
  /// time of registration.
  public internal(set) var lastActive: Int64

  /// Creates a bot without tasks. It is online unless `life` says otherwise.
  public init(
    id: String, definition: BotDefinition, lifecycle: BotStateMachine = .said(.online),
    registered: Int64,
    lastHeartbeat: Int64? = nil, lastActive: Int64? = nil
  ) {
    self.id = id
    self.definition = definition
    self.lifecycle = lifecycle
    load = BotLoad()
    self.registered = registered
    self.lastHeartbeat = lastHeartbeat ?? registered
    self.lastActive = lastActive ?? registered
  }

  /// The status that is shown. It is the status that was set, or `busy` where an online bot has no
  /// free slot.
  public var status: BotStatus {
    lifecycle.takesTasks && load.total >= definition.maxConcurrentTasks ? .busy : lifecycle.status
  }

  /// The share of its slots that is taken. 0 is idle and 1 is full. It exceeds 1 after the number
  /// of slots was lowered below the load.
  public var utilization: Double {
    Double(load.total) / Double(max(1, definition.maxConcurrentTasks))
  }

  /// The types of task that the bot may be given.
  var taskTypes: Set<String> {
    Set(definition.capabilities.flatMap(\.taskTypes)).subtracting(withheld)
  }

  /// The capabilities by which the bot may be given tasks of a type, the best first.
  func capabilities(for type: String) -> [(position: Int, capability: BotCapability)] {
    withheld.contains(type) ? [] : definition.capabilities(for: type)
  }

  /// Whether the last heartbeat is older than `timeout` milliseconds.
  public func isSilent(at now: Int64, after timeout: Int64) -> Bool {
    let (silence, overflow) = now.subtractingReportingOverflow(lastHeartbeat)
    return !overflow && silence > timeout
  }

  /// The bot as the API shows it: its definition and its status. Times are Unix milliseconds.
  public var json: JSONObject {
    var object: JSONObject = ["id": .string(id)]
    for (key, value) in definition.json { object[key] = value }
    object["status"] = .string(status.rawValue)
    object["current_tasks"] = JSONValue(load.total)
    object["current_tasks_by_capability"] = .object(
      JSONObject(load.byCapability.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) })
    )
    object["utilization"] = JSONValue(utilization)
    object["registered"] = JSONValue(registered)
    object["last_heartbeat"] = JSONValue(lastHeartbeat)
    object["last_active"] = JSONValue(lastActive)
    return object
  }
}
