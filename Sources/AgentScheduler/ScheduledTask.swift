internal import AgentAssignment
public import AgentJSON
internal import AgentStore
internal import AgentSystem
public import AgentTasks

/// The task that a schedule creates at each fire time.
public struct ScheduledTask: Sendable, Equatable {
  /// The name of the task. Nil means the schedule's name.
  public var name: String?
  /// The name of a task type.
  public var type: String
  /// The priority, from 0 to 1000.
  public var priority = Int64(TaskPriority.normal.value)
  /// The time from the fire time to the due date, in milliseconds. Nil means no due date.
  public var dueAfter: Int64?
  /// The other properties of the task.
  public var definition = TaskDefinition()

  /// Creates a task of a type with the normal priority.
  public init(type: String) { self.type = type }

  /// Copies the properties of an existing task.
  init(_ task: TaskRow) {
    name = task.name
    type = task.type
    priority = task.priority
    definition = TaskDefinition(stored: task.definition)
    // The schedule owns its tasks, not the creator of the copied one.
    definition.createdBy = nil
  }

  /// Reads a task from JSON. It needs `type`; with a `run_command` the type is `command` by
  /// default. Optional members are `name`, `priority` (a number or a name), `due_after_ms` and
  /// those of a task's definition.
  /// - Throws: `invalid` with the name of the member and the values that it allows.
  public init(json object: JSONObject) throws(TaskError) {
    let command = object["run_command"]?.string.map { _ in TaskDraft.command }
    guard let type = object["type"]?.string ?? command, !type.isEmpty else {
      throw TaskError(.invalid, "task.type must be the name of a task type.")
    }
    self.type = type
    name = object["name"]?.string
    definition = TaskDefinition(json: object)
    if let value = object["priority"] {
      guard let number = value.string.flatMap({ TaskPriority.number(named: $0) }) ?? value.int64,
        TaskPriority.isValid(number)
      else {
        throw TaskError(
          .invalid,
          "task.priority is a number from 0 to 1000, or low, normal, high or critical.")
      }
      priority = number
    }
    if let value = object["due_after_ms"] {
      guard let milliseconds = value.int64, milliseconds >= 0 else {
        throw TaskError(.invalid, "task.due_after_ms is a number of milliseconds, 0 or more.")
      }
      dueAfter = milliseconds
    }
  }

  /// The task in JSON. It is stored in this form, and ``init(json:)`` reads it.
  public var json: JSONObject {
    var object: JSONObject = ["type": .string(type), "priority": JSONValue(priority)]
    object["name"] = name.map(JSONValue.string)
    object["due_after_ms"] = dueAfter.map { JSONValue($0) }
    for (key, value) in definition.json { object[key] = value }
    return object
  }

  /// Returns the draft of the task for one fire time.
  /// - Parameter time: the fire time, in Unix milliseconds.
  func draft(of schedule: ScheduleRow, at time: Int64) -> TaskDraft {
    var draft = TaskDraft(name: name ?? schedule.name, type: type)
    draft.definition = definition
    // The handler can see which fire time the task is for.
    draft.definition.metadata["schedule"] = .string(schedule.name)
    draft.definition.metadata["fire_time"] = JSONValue(time)
    draft.priority = priority
    draft.due = dueAfter.map { time.adding($0) }
    draft.schedule = schedule.id
    return draft
  }
}
