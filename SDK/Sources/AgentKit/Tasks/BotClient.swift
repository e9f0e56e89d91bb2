/// The host's bots: register, look, figures, strategy; and what a bot says of its assignments.
///
/// A module speaks only for bots that this process has registered. They count on its worker: when it
/// has gone they are offline, and what they had is queued again. ``serve(_:lease:_:)`` is all that most
/// bots need.
public struct BotClient: Sendable {
  let service: TaskCalls

  // MARK: The register

  /// Takes a bot in, which is online at once. One of this process with the same name is replaced.
  public func register(_ bot: NewBot) async throws -> BotRecord {
    BotRecord(try await service.call("register_bot", bot.json))
  }

  /// Says anew what a bot is; what it has stays.
  @discardableResult
  public func update(_ id: String, _ bot: NewBot) async throws -> BotRecord {
    var input = bot.json
    input["id"] = .string(id)
    return BotRecord(try await service.call("update_bot", input))
  }

  /// Says how a bot stands.
  @discardableResult
  public func setStatus(_ status: BotStatus, of id: String) async throws -> BotRecord {
    BotRecord(
      try await service.call(
        "set_bot_status", ["id": .string(id), "status": .string(status.rawValue)]))
  }

  /// Reports that a bot is alive. From its first heartbeat on, a bot whose heartbeats stop is
  /// missing. Bots that a module registers need none: the host sees whether the worker runs.
  @discardableResult
  public func heartbeat(_ id: String) async throws -> BotRecord {
    BotRecord(try await service.call("bot_heartbeat", ["id": .string(id)]))
  }

  /// Takes a bot from the register; its tasks are queued again.
  public func unregister(_ id: String) async throws {
    _ = try await service.call("unregister_bot", ["id": .string(id)])
  }

  // MARK: Looking

  /// The bots, by id.
  public func list(
    type: String? = nil, status: BotStatus? = nil, taskType: String? = nil
  ) async throws -> [BotRecord] {
    var input = JSONObject()
    input["type"] = type.map(JSONValue.string)
    input["status"] = (status?.rawValue).map(JSONValue.string)
    input["task_type"] = taskType.map(JSONValue.string)
    return try await service.call("list_bots", input)["bots"]?.array?.map(BotRecord.init(_:)) ?? []
  }

  /// One bot.
  public func get(_ id: String) async throws -> BotRecord {
    BotRecord(try await service.call("get_bot", ["id": .string(id)]))
  }

  /// What a bot has done: how often what came of its tasks, and how long they took.
  public func statistics(of id: String) async throws -> JSONValue {
    try await service.call("get_bot_stats", ["id": .string(id)])
  }

  /// How bots and what waits for them stand: `total_bots`, `online_bots`, `queue_size` …
  public func statistics() async throws -> JSONValue {
    try await service.call("get_bots_stats", [:])
  }

  /// For every bot, the reason why it would or wouldn't get a task.
  public func explain(task id: String) async throws -> JSONValue {
    try await service.call("explain_assignment", ["id": .string(id)])
  }

  /// By what it is decided who gets a task.
  public func strategy() async throws -> String {
    try await service.call("get_assignment_strategy", [:])["assignment_strategy"]?.string ?? ""
  }

  /// Chooses `best_fit`, `load_balanced`, `round_robin`, `priority_first`, or a module's `MODULE/NAME`;
  /// for all of the agent, until another is chosen.
  public func setStrategy(_ name: String) async throws {
    _ = try await service.call("set_assignment_strategy", ["assignment_strategy": .string(name)])
  }

  // MARK: What a bot says

  /// The offers that a bot hasn't answered. If there are none, waits up to `wait` for the next.
  public func offers(to id: String, wait: Duration = .zero) async throws -> [AssignmentRecord] {
    let input: JSONObject = ["id": .string(id), "wait_ms": JSONValue(wait.hostMilliseconds)]
    let answer = try await service.wait("get_bot_assignments", input)
    return answer["assignments"]?.array?.map(AssignmentRecord.init(_:)) ?? []
  }

  /// Assignments of tasks to bots, the newest first. Keys: `status`, `bot`, `task`, `before`,
  /// `limit`.
  public func assignments(_ selection: JSONObject = [:]) async throws -> [AssignmentRecord] {
    try await service.call("list_assignments", selection)["assignments"]?.array?
      .map(AssignmentRecord.init(_:)) ?? []
  }

  /// The bot does it.
  /// - Parameter lease: how long it may be silent until it loses the task.
  @discardableResult
  public func accept(_ id: String, lease: Duration? = nil) async throws -> AssignmentRecord {
    var input: JSONObject = ["id": .string(id)]
    input["lease_ms"] = lease.map { JSONValue($0.hostMilliseconds) }
    return AssignmentRecord(try await service.call("accept_assignment", input))
  }

  /// The bot doesn't want it, or gives it back: others get it.
  public func reject(_ id: String, reason: String = "") async throws {
    _ = try await service.call(
      "reject_assignment", ["id": .string(id), "reason": .string(reason)])
  }

  /// The bot is at it; says how far it has come, and what it has to say.
  /// - Returns: whether somebody wants it to stop.
  @discardableResult
  public func progress(
    _ id: String, _ progress: JSONValue? = nil, logs: [String] = []
  ) async throws -> Bool {
    var input: JSONObject = ["id": .string(id)]
    input["progress"] = progress
    if !logs.isEmpty {
      input["logs"] = .array(logs.map { ["stream": "info", "text": .string($0)] })
    }
    return try await service.call("assignment_heartbeat", input)["cancelling"]?.bool ?? false
  }

  /// It is done.
  public func complete(_ id: String, result: JSONValue = .null) async throws {
    _ = try await service.call("complete_assignment", ["id": .string(id), "result": result])
  }

  /// It can't be done.
  /// - Parameter isFinal: whether trying again is of no use.
  public func fail(_ id: String, _ error: String, isFinal: Bool = false) async throws {
    _ = try await service.call(
      "complete_assignment",
      ["id": .string(id), "success": false, "error": .string(error), "final": .bool(isFinal)])
  }
}
