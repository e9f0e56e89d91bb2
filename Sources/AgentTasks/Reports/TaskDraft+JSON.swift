public import AgentJSON
internal import AgentSystem

/// Reads the bodies of requests. The bodies were checked by their schemas before.
extension TaskDraft {
  /// The type of tasks that name their own program.
  public static let command = "command"

  /// Reads the body of a request for a new task, which fits ``TaskSchemas/newTask``.
  public init(_ body: JSONValue) {
    let command = body["run_command"]?.string
    self.init(
      name: body["name"]?.string ?? "",
      type: body["type"]?.string ?? (command == nil ? "" : Self.command))
    definition = TaskDefinition(json: body.object ?? JSONObject())
    // A request must not choose the creator. The engine sets it.
    definition.createdBy = nil
    priority = body["priority"].flatMap(Self.priority) ?? priority
    due = body["due_date"]?.int64?.clamped(to: TaskBounds.moment)
    runAt = body["run_at"]?.int64?.clamped(to: TaskBounds.moment)
    // Without a start time, a task waits by default until a caller executes it.
    waits = runAt == nil && body["status"]?.string != "queued"
    parent = body["parent"]?.string.flatMap { Int64($0) }
    switch body["unique"] {
    case .string?: unique = .whileOpen
    case .number(let period)?:
      let milliseconds = Int64(clamping: period.int ?? 1).clamped(to: TaskBounds.duration)
      unique = .within(milliseconds: milliseconds)
    case .object(let object)?: unique = object["key"]?.string.map { .key($0) }
    default: break
    }
  }

  /// Returns the priority of a body, which is a number or a name. `nil` if it is neither.
  public static func priority(_ value: JSONValue) -> Int64? {
    value.int64 ?? value.string.flatMap { TaskPriority.number(named: $0) }
  }

  /// Returns whether a task names a program or secrets. Not every caller that may create tasks may
  /// do that.
  static func asksForPrograms(_ type: String, _ definition: TaskDefinition) -> Bool {
    type == command || definition.runCommand != nil || definition.usesShell
      || !definition.secrets.isEmpty
  }
}

extension TaskEdit {
  /// Reads the body of a request for a change.
  public init(_ body: JSONValue) {
    self.init()
    name = body["name"]?.string
    description = body["description"]?.string
    priority = body["priority"].flatMap(TaskDraft.priority)
    due = body["due_date"]?.int64?.clamped(to: TaskBounds.moment)
    tags = body["tags"]?.array?.compactMap(\.string)
  }

  /// Whether a member other than the status is changed.
  public var changesSomething: Bool {
    name != nil || description != nil || priority != nil || due != nil || tags != nil
  }
}
