public import AgentJSON
public import AgentStore
internal import AgentTasks

/// An assignment in the form that the API, events and programs show.
public struct AssignmentReport: Sendable {
  private let row: AssignmentRow

  public init(_ row: AssignmentRow) { self.row = row }

  /// The whole assignment. Times are in Unix milliseconds.
  public var json: JSONObject {
    var object: JSONObject = [
      "id": .string("\(row.id)"), "task_id": .string("\(row.task)"),
      "bot_id": .string(row.bot), "status": .string(row.state.rawValue),
      "attempt": JSONValue(row.attempt), "strategy": .string(row.strategy),
    ]
    object["capability"] = row.capability.map(JSONValue.string)
    object["decision"] = JSONValue(stored: row.decision) ?? .null
    object["waited_ms"] = JSONValue(row.waited)
    object["created"] = JSONValue(row.created)
    object["accepted"] = row.accepted.map { JSONValue($0) }
    object["ended"] = row.ended.map { JSONValue($0) }
    object["result"] = row.result.flatMap { JSONValue(stored: $0) }
    object["note"] = row.note.map(JSONValue.string)
    return object
  }

  /// The report without its result and note, for callers that may not see the task.
  public var outline: JSONObject {
    var object = json
    for key in ["result", "note"] { object[key] = nil }
    return object
  }

  /// Returns the report for an event. Every module may subscribe to events: the result of a
  /// confidential task, such as a program or one with secrets, is left out.
  public func event(of task: TaskRow) -> JSONObject {
    (TaskReport(task).isConfidential ? outline : json).fitForEvent()
  }
}
