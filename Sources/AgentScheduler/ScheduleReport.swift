public import AgentJSON
public import AgentStore
internal import AgentTasks

/// A schedule in the form that the API and the programs show.
public struct ScheduleReport: Sendable {
  private let row: ScheduleRow

  public init(_ row: ScheduleRow) { self.row = row }

  /// The schedule in JSON: its definition, its status, and its next fire time. Times are in Unix
  /// milliseconds.
  public var json: JSONObject {
    var object: JSONObject = ["id": .string("\(row.id)"), "name": .string(row.name)]
    object["status"] = .string(status)
    object["source"] = .string(row.source ?? "api")
    // A definition that can't be read must not hide the schedule: it can still be deleted.
    if let definition = try? ScheduleDefinition(stored: row.definition) {
      // `status` shows it. The stored member is only the state at the creation.
      for (key, value) in definition.json where key != "paused" { object[key] = value }
      object["words"] = .string(definition.words)
    }
    object["next_fire_time"] = row.state == .active ? row.next.map { JSONValue($0) } : nil
    object["handled"] = JSONValue(row.handled)
    object["created"] = JSONValue(row.created)
    object["updated"] = JSONValue(row.updated)
    object["version"] = JSONValue(row.version)
    return object
  }

  /// The status: `active`, `paused`, or `ended` if no fire time is left.
  private var status: String {
    row.state == .active && row.next == nil ? "ended" : row.state.rawValue
  }
}

extension ScheduleFire {
  /// The decision in JSON. Times are in Unix milliseconds.
  public var json: JSONObject {
    var object: JSONObject = [
      "schedule_id": .string("\(schedule)"), "fire_time": JSONValue(time),
      "decided": JSONValue(decided), "outcome": .string(outcome),
    ]
    object["task_id"] = task.map { .string("\($0)") }
    object["note"] = note.map(JSONValue.string)
    return object
  }
}
