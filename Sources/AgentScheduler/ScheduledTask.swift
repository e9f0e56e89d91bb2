internal import AgentAssignment
public import AgentJSON
internal import AgentStore
internal import AgentSystem
public import AgentTasks

/// What a schedule makes each time: a task of this form.
public struct ScheduledTask: Sendable, Equatable {
  /// What people call it; the schedule's name when it is nil.
  public var name: String?
  /// What is done: the name of a task type.
  public var type: String
  /// How urgent it is, from 0 to 1000.
  public var priority = Int64(TaskPriority.normal.value)
  /// How many milliseconds after the fire time it should be done.
  public var dueAfter: Int64?
  /// What is to be done, and how.
  public var definition = TaskDefinition()

  /// A task of a type.
  public init(type: String) { self.type = type }

  /// A task that is to do the same as one that is there.
  init(_ task: TaskRow) {
    name = task.name
    type = task.type
    priority = task.priority
    definition = TaskDefinition(stored: task.definition)
    // Its tasks are the schedule's, and not those of the creator of the copied one.
    definition.createdBy = nil
  }

  /// The members of JSON that say it: `type` (`command` where there is a `run_command`), and if
  /// wanted `name`, `priority` (a number or a name), `due_after_ms` and those of a task's
  /// definition.
  /// - Throws: `invalid` with what may stand there.
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

  /// As it is stored, and read again.
  public var json: JSONObject {
    var object: JSONObject = ["type": .string(type), "priority": JSONValue(priority)]
    object["name"] = name.map(JSONValue.string)
    object["due_after_ms"] = dueAfter.map { JSONValue($0) }
    for (key, value) in definition.json { object[key] = value }
    return object
  }

  /// The task of a fire time.
  func draft(of schedule: ScheduleRow, at time: Int64) -> TaskDraft {
    var draft = TaskDraft(name: name ?? schedule.name, type: type)
    draft.definition = definition
    draft.definition.metadata["schedule"] = .string(schedule.name)
    draft.definition.metadata["fire_time"] = JSONValue(time)
    draft.priority = priority
    draft.due = dueAfter.map { time.adding($0) }
    draft.schedule = schedule.id
    return draft
  }
}
