internal import AgentJSON
internal import AgentStore

extension TaskWork {
  /// What a program or a function is told of its task: `{task, data, metadata, subsystem}`.
  var context: JSONValue {
    var about: JSONObject = [
      "id": .string("\(task.id)"), "name": .string(task.name), "type": .string(task.type),
      "attempt": JSONValue(task.attempt), "priority": JSONValue(task.priority),
      "description": .string(definition.description),
      "tags": .array(definition.tags.map(JSONValue.string)),
    ]
    about["due_date"] = task.due.map { JSONValue($0) }
    about["parent"] = task.parent.map { .string("\($0)") }
    return [
      "task": .object(about), "data": definition.input, "metadata": .object(definition.metadata),
      "subsystem": definition.subsystem.map(JSONValue.string) ?? .null,
    ]
  }
}
