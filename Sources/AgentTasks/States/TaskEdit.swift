internal import AgentJSON
internal import AgentStore
internal import AgentSystem

/// The changes of a task's members. A member that is `nil` isn't changed.
public struct TaskEdit: Sendable {
  public var name: String?
  /// The priority, 0 to 1000.
  public var priority: Int64?
  /// The due date in Unix milliseconds.
  public var due: Int64?
  public var description: String?
  /// The texts by which the task can be found.
  public var tags: [String]?

  /// Creates an edit that changes nothing.
  public init() {}

  /// Whether the edit changes what a program receives. That needs the authority to create such a
  /// task.
  var changesDefinition: Bool { name != nil || description != nil || tags != nil }
}

extension TaskStateMachine {
  /// Applies an edit. A queued task moves to the position of its new priority.
  mutating func edit(_ edit: TaskEdit, ageing: Int64) throws(TaskError) {
    var row = self.row
    var definition = definition
    row.name = edit.name ?? row.name
    row.due = edit.due ?? row.due
    definition.description = edit.description ?? definition.description
    definition.tags = edit.tags ?? definition.tags
    // The escalation of a waiting task is computed when it is queued or scheduled.
    if edit.due != nil, !row.state.isEnded, row.state != .waiting {
      var dated = self
      dated.replace(row)
      row.escalateAt = dated.firstEscalation(definition)
    }
    if edit.description != nil || edit.tags != nil {
      row.definition = definition.stored
      try TaskDefinition.check(row.definition)
    }
    if let priority = edit.priority, priority != row.priority {
      // The row doesn't contain the time of queueing, and a requeued task keeps its old rank.
      // Therefore, the rank moves by the difference of the priorities.
      row.rank = row.rank.adding(row.priority.subtracting(priority).multiplied(ageing))
      row.priority = priority
    }
    row.updated = now
    replace(row)
  }

  /// Replaces the input, or merges the data into it if both are objects.
  /// - Throws: `invalid` if the resulting definition is too large.
  mutating func replace(input data: JSONValue) throws(TaskError) {
    var definition = definition
    if var object = definition.input.object, let more = data.object {
      for (key, value) in more { object[key] = value }
      definition.input = .object(object)
    } else {
      definition.input = data
    }
    var row = self.row
    row.definition = definition.stored
    try TaskDefinition.check(row.definition)
    replace(row)
  }
}
