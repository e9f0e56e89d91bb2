public import AgentJSON
public import AgentStore
internal import AgentTasks

/// An assignment as people and programs see it.
public struct AssignmentReport: Sendable {
  private let row: AssignmentRow

  /// The report of an assignment.
  public init(_ row: AssignmentRow) { self.row = row }

  /// All of it; times are Unix milliseconds.
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

  /// The report without its result, for callers that may not read the task.
  public var outline: JSONObject {
    var object = json
    for key in ["result", "note"] { object[key] = nil }
    return object
  }

  /// As events have it, which every module may subscribe to: of a program or a task with secrets
  /// without what has come of it.
  public func event(of task: TaskRow) -> JSONObject {
    (TaskReport(task).isConfidential ? outline : json).fitForEvent()
  }
}
