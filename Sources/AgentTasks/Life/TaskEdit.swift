internal import AgentJSON
internal import AgentStore
internal import AgentSystem

/// What is to be changed of a task. What is nil stays.
public struct TaskEdit: Sendable {
  /// Its name.
  public var name: String?
  /// How urgent it is, from 0 to 1000.
  public var priority: Int64?
  /// When it should be done, in Unix milliseconds.
  public var due: Int64?
  /// For people.
  public var description: String?
  /// Words by which it is found.
  public var tags: [String]?

  /// Nothing.
  public init() {}

  /// Whether something is changed that a program is told of.
  var changesDefinition: Bool { name != nil || description != nil || tags != nil }
}

extension TaskStateMachine {
  /// Changes what may be changed; a task that is queued gets the place of its new priority.
  mutating func edit(_ edit: TaskEdit, ageing: Int64) throws(TaskError) {
    var row = self.row
    var definition = definition
    row.name = edit.name ?? row.name
    row.due = edit.due ?? row.due
    definition.description = edit.description ?? definition.description
    definition.tags = edit.tags ?? definition.tags
    if edit.due != nil, !row.state.isEnded, row.state != .waiting {
      var dated = self
      dated.replace(row)
      row.escalateAt = dated.firstEscalation(definition)
    }
    if edit.description != nil || edit.tags != nil { row.definition = definition.stored }
    if let priority = edit.priority, priority != row.priority {
      row.rank = row.rank.adding(row.priority.subtracting(priority).multiplied(ageing))
      row.priority = priority
    }
    row.updated = now
    replace(row)
  }

  /// Gives a task other data: in place of its input, or merged into it when both are objects.
  mutating func replace(input data: JSONValue) {
    var definition = definition
    if var object = definition.input.object, let more = data.object {
      for (key, value) in more { object[key] = value }
      definition.input = .object(object)
    } else {
      definition.input = data
    }
    var row = self.row
    row.definition = definition.stored
    replace(row)
  }
}
