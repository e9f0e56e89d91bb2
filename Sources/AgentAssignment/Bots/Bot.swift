public import AgentJSON

/// A bot: who may be given tasks. A module's action, a process, an outside program or a person.
public struct Bot: Sendable, Hashable {
  /// Its id: `bot-` and a UUID, made by who registers it.
  public let id: String
  /// What was said of it.
  public var definition: BotDefinition
  /// What it goes through.
  public var life: BotStateMachine
  /// What it has to do.
  public internal(set) var load: BotLoad
  /// When it was registered, in Unix milliseconds.
  public let registered: Int64
  /// When it was last heard of, in Unix milliseconds.
  public var lastHeartbeat: Int64
  /// When its last task began or ended, in Unix milliseconds; when it was registered where it had
  /// none yet.
  public internal(set) var lastActive: Int64

  /// A bot without tasks; online unless something else is said.
  public init(
    id: String, definition: BotDefinition, life: BotStateMachine = .said(.online),
    registered: Int64,
    lastHeartbeat: Int64? = nil, lastActive: Int64? = nil
  ) {
    self.id = id
    self.definition = definition
    self.life = life
    load = BotLoad()
    self.registered = registered
    self.lastHeartbeat = lastHeartbeat ?? registered
    self.lastActive = lastActive ?? registered
  }

  /// How it stands: what was said of it, and `busy` where an online bot has no room.
  public var status: BotStatus {
    life.takesTasks && load.total >= definition.maxConcurrentTasks ? .busy : life.status
  }

  /// The share of its room that is taken: 0 is idle, 1 is full; more where its room became less.
  public var utilisation: Double {
    Double(load.total) / Double(max(1, definition.maxConcurrentTasks))
  }

  /// Whether it wasn't heard of for so long, in milliseconds.
  public func isSilent(at now: Int64, after timeout: Int64) -> Bool {
    let (silence, overflow) = now.subtractingReportingOverflow(lastHeartbeat)
    return !overflow && silence > timeout
  }

  /// As it is shown: what was said of it, and how it stands. Times are Unix milliseconds.
  public var json: JSONObject {
    var object: JSONObject = ["id": .string(id)]
    for (key, value) in definition.json { object[key] = value }
    object["status"] = .string(status.rawValue)
    object["current_tasks"] = JSONValue(load.total)
    object["current_tasks_by_capability"] = .object(
      JSONObject(load.byCapability.sorted { $0.key < $1.key }.map { ($0.key, JSONValue($0.value)) })
    )
    object["utilisation"] = JSONValue(utilisation)
    object["registered"] = JSONValue(registered)
    object["last_heartbeat"] = JSONValue(lastHeartbeat)
    object["last_active"] = JSONValue(lastActive)
    return object
  }
}
