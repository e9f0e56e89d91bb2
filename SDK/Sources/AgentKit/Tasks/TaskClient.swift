/// The host's tasks: create, find, wait for, cancel and assign them.
///
/// ```swift
/// let task = try await host.tasks.queue("Nightly backup", type: "data_backup")
/// let done = try await host.tasks.wait(for: task.id)
/// ```
///
/// A module may create tasks of the types that settings and modules declare and that bots do;
/// `command` and `http` only where the settings grant it. Errors are `.invalidArgument` for
/// something that doesn't exist, `.conflict` if the current state doesn't allow the call, and
/// `.unsupported` for something that isn't allowed.
public struct TaskClient: Sendable {
  let service: TaskCalls

  // MARK: Creating

  /// Creates a task that is done as soon as possible, or at its `runAt`.
  @discardableResult
  public func queue(_ task: NewTask) async throws -> TaskRecord {
    var object = task.json
    if task.runAt == nil { object["status"] = "queued" }
    return TaskRecord(try await service.call("create_task", object))
  }

  /// Creates a task that is done as soon as possible.
  @discardableResult
  public func queue(
    _ name: String, type: String, input: JSONValue = .null, priority: TaskPriority? = nil
  ) async throws -> TaskRecord {
    var task = NewTask(name, type: type, input: input)
    task.priority = priority
    return try await queue(task)
  }

  /// Creates a task that waits until ``execute(_:data:wait:)`` is called.
  public func create(_ task: NewTask) async throws -> TaskRecord {
    TaskRecord(try await service.call("create_task", task.json))
  }

  /// Starts a task that waits, or that has ended.
  /// - Parameters:
  ///   - data: replaces the task's input, or is merged into it when both are objects.
  ///   - wait: how long to wait for the result. When it is over, the task is returned as it is and
  ///     may not have ended.
  @discardableResult
  public func execute(
    _ id: String, data: JSONValue? = nil, wait: Duration? = nil
  ) async throws -> TaskRecord {
    var input: JSONObject = ["id": .string(id)]
    input["data"] = data
    input["wait_ms"] = wait.map { JSONValue($0.hostMilliseconds) }
    return TaskRecord(try await service.wait("execute_task", input))
  }

  // MARK: Looking

  /// A task, with its `history` and `artifacts` in the details.
  public func get(_ id: String) async throws -> TaskRecord {
    TaskRecord(try await service.call("get_task", ["id": .string(id)]))
  }

  /// Tasks that match a selection. By default the newest come first, at most 100. Keys: `status`
  /// (an array), `type`, `bot`, `tag`, `q`, `parent`, `sort`, `order`, `offset`, `limit` …
  public func list(_ selection: JSONObject = [:]) async throws -> [TaskRecord] {
    try await service.call("list_tasks", selection)["tasks"]?.array?.map(TaskRecord.init(_:)) ?? []
  }

  /// Waits until a task has ended, and returns it. After `limit`, returns it as it is.
  public func wait(for id: String, atMost limit: Duration = .seconds(60)) async throws -> TaskRecord
  {
    TaskRecord(
      try await service.wait(
        "wait_for_task", ["id": .string(id), "wait_ms": JSONValue(limit.hostMilliseconds)]))
  }

  /// A task's log: lines with `text`, `stream`, `timestamp`, `number`.
  public func logs(of id: String, after number: Int = 0) async throws -> [JSONValue] {
    let input: JSONObject = ["id": .string(id), "after": JSONValue(number), "limit": 1000]
    return try await service.call("get_task_logs", input)["lines"]?.array ?? []
  }

  /// The reasons why a task isn't done yet, as sentences.
  public func explain(_ id: String) async throws -> [String] {
    try await service.call("explain_task", ["id": .string(id)])["reasons"]?.array?
      .compactMap(\.string) ?? []
  }

  /// All task types: `name`, `description`, `source`, `done_by`, `input`.
  public func types() async throws -> [JSONValue] {
    try await service.call("list_task_types", [:])["types"]?.array ?? []
  }

  // MARK: Acting

  /// Cancels a task. A running one is asked to stop; if `isForced`, the host doesn't wait for it.
  @discardableResult
  public func cancel(
    _ id: String, note: String? = nil, isForced: Bool = false
  ) async throws -> TaskRecord {
    var input: JSONObject = ["id": .string(id), "force": .bool(isForced)]
    input["note"] = note.map(JSONValue.string)
    return TaskRecord(try await service.call("cancel_task", input))
  }

  /// Assigns a task to a bot, or to the best one with a free slot.
  @discardableResult
  public func assign(_ id: String, to bot: String? = nil) async throws -> AssignmentRecord {
    var input: JSONObject = ["task_id": .string(id)]
    input["bot_id"] = bot.map(JSONValue.string)
    return AssignmentRecord(try await service.call("assign_task", input))
  }

  /// Events of tasks, bots and assignments, from now on. Read them in one `for try await` loop.
  public func events(
    of kinds: Set<TaskEvent.Kind> = Set(TaskEvent.Kind.allCases)
  ) throws(ModuleError) -> TaskEvents {
    TaskEvents(
      base: try service.services.subscribe(
        EventRequest(kinds.map(\.rawValue).sorted().joined(separator: " | "))))
  }
}
