/// The host's bots: registration, queries, statistics, strategy, and a bot's answers to
/// assignments.
///
/// A module acts only for bots that this process has registered. They depend on its worker: when it
/// ends they go offline, and their tasks are queued again. Most bots need only
/// ``serve(_:lease:_:)``.
public struct BotClient: Sendable {
  let service: TaskCalls

  // MARK: The register

  /// Registers a bot, which is online at once. It replaces a bot of this process with the same
  /// name.
  public func register(_ bot: NewBot) async throws -> BotRecord {
    BotRecord(try await service.call("register_bot", bot.json))
  }

  /// Updates a bot's description; it keeps its tasks.
  @discardableResult
  public func update(_ id: String, _ bot: NewBot) async throws -> BotRecord {
    var input = bot.json
    input["id"] = .string(id)
    return BotRecord(try await service.call("update_bot", input))
  }

  /// Sets a bot's status.
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

  /// Removes a bot; its tasks are queued again.
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

  /// A bot's statistics: the numbers of its tasks by outcome, and how long they took.
  public func statistics(of id: String) async throws -> JSONValue {
    try await service.call("get_bot_stats", ["id": .string(id)])
  }

  /// Statistics of all bots and of the queue: `total_bots`, `online_bots`, `queue_size` …
  public func statistics() async throws -> JSONValue {
    try await service.call("get_bots_stats", [:])
  }

  /// For every bot, the reason why it would or wouldn't get a task.
  public func explain(task id: String) async throws -> JSONValue {
    try await service.call("explain_assignment", ["id": .string(id)])
  }

  /// The name of the strategy that assigns tasks to bots.
  public func strategy() async throws -> String {
    try await service.call("get_assignment_strategy", [:])["assignment_strategy"]?.string ?? ""
  }

  /// Chooses `best_fit`, `load_balanced`, `round_robin`, `priority_first`, or a module's
  /// `MODULE/NAME`. It applies to the whole agent until another is chosen.
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

  /// Accepts an assignment: the bot does the task.
  /// - Parameter lease: how long the bot may send nothing before it loses the task.
  @discardableResult
  public func accept(_ id: String, lease: Duration? = nil) async throws -> AssignmentRecord {
    var input: JSONObject = ["id": .string(id)]
    input["lease_ms"] = lease.map { JSONValue($0.hostMilliseconds) }
    return AssignmentRecord(try await service.call("accept_assignment", input))
  }

  /// Rejects an assignment, or returns an accepted one. Other bots can then get the task.
  public func reject(_ id: String, reason: String = "") async throws {
    _ = try await service.call(
      "reject_assignment", ["id": .string(id), "reason": .string(reason)])
  }

  /// Renews the assignment, and reports progress and log lines.
  /// - Returns: whether the task is to be stopped.
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

  /// Reports that the task succeeded.
  public func complete(_ id: String, result: JSONValue = .null) async throws {
    _ = try await service.call("complete_assignment", ["id": .string(id), "result": result])
  }

  /// Reports that the task failed.
  /// - Parameter isFinal: whether the task is not to be tried again.
  public func fail(_ id: String, _ error: String, isFinal: Bool = false) async throws {
    _ = try await service.call(
      "complete_assignment",
      ["id": .string(id), "success": false, "error": .string(error), "final": .bool(isFinal)])
  }
}
