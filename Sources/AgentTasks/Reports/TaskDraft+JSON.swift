public import AgentJSON
internal import AgentSystem

/// What requests say, as the engine takes it; their shapes were checked before.
extension TaskDraft {
  /// The type whose tasks say themselves which program it is.
  public static let command = "command"

  /// The task that a body asks for, as ``TaskSchemas/newTask`` has it.
  public init(_ body: JSONValue) {
    let command = body["run_command"]?.string
    self.init(
      name: body["name"]?.string ?? "",
      type: body["type"]?.string ?? (command == nil ? "" : Self.command))
    definition = TaskDefinition(json: body.object ?? JSONObject())
    definition.createdBy = nil
    priority = body["priority"].flatMap(Self.priority) ?? priority
    due = body["due_date"]?.int64?.clamped(to: TaskBounds.moment)
    runAt = body["run_at"]?.int64?.clamped(to: TaskBounds.moment)
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

  /// The number that a body gives as a priority, or as its name.
  public static func priority(_ value: JSONValue) -> Int64? {
    value.int64 ?? value.string.flatMap { TaskPriority.number(named: $0) }
  }

  /// Whether a task says which program is to run or which secrets are to be used, which isn't for
  /// all who may create tasks.
  static func asksForPrograms(_ type: String, _ definition: TaskDefinition) -> Bool {
    type == command || definition.runCommand != nil || definition.usesShell
      || !definition.secrets.isEmpty
  }
}

extension TaskEdit {
  /// The change that a body asks for.
  public init(_ body: JSONValue) {
    self.init()
    name = body["name"]?.string
    description = body["description"]?.string
    priority = body["priority"].flatMap(TaskDraft.priority)
    due = body["due_date"]?.int64?.clamped(to: TaskBounds.moment)
    tags = body["tags"]?.array?.compactMap(\.string)
  }

  /// Whether anything but the status is to be changed.
  public var changesSomething: Bool {
    name != nil || description != nil || priority != nil || due != nil || tags != nil
  }
}
