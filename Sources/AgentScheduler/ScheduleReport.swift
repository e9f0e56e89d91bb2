public import AgentJSON
public import AgentStore
internal import AgentTasks

/// A schedule as people and programs see it.
public struct ScheduleReport: Sendable {
  private let row: ScheduleRow

  /// The report of a schedule.
  public init(_ row: ScheduleRow) { self.row = row }

  /// When it fires, what it makes, and how far it has come.
  public var json: JSONObject {
    var object: JSONObject = ["id": .string("\(row.id)"), "name": .string(row.name)]
    object["status"] = .string(status)
    object["source"] = .string(row.source ?? "api")
    if let definition = try? ScheduleDefinition(stored: row.definition) {
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

  /// `active`, `paused`, or `ended` when no time is left.
  private var status: String {
    row.state == .active && row.next == nil ? "ended" : row.state.rawValue
  }
}

extension ScheduleFire {
  /// As people and programs see it.
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
