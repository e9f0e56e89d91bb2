internal import AgentEvents
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

/// Publishes what happens to schedules: `schedule_created`, `schedule_changed`, `schedule_deleted`,
/// `schedule_fired` and `schedule_skipped`, with the whole schedule. Those about fire times are live
/// only (`__skipstorage`), since the schedule's own list of them is the record; one whose task could
/// not be made is stored, so that rules for alerts find it whenever they look.
struct ScheduleEvents: Sendable {
  private let events: EventBus

  init(_ events: EventBus) { self.events = events }

  func happened(_ notices: [ScheduleNotice]) {
    for notice in notices {
      let event: JSONObject =
        switch notice {
        case .created(let row): Self.event("created", row)
        case .changed(let row): Self.event("changed", row)
        case .deleted(let row): Self.event("deleted", row)
        case .decided(let row, let fire, _): Self.event(row, fire)
        }
      _ = try? events.publish([event], source: "agent")
    }
  }

  private static func event(_ what: String, _ row: ScheduleRow) -> JSONObject {
    [
      "type": .string("schedule_\(what)"), "schedule_id": .string("\(row.id)"),
      "key": .string("\(row.id)"), "schedule": .object(ScheduleReport(row).json),
    ]
  }

  private static func event(_ row: ScheduleRow, _ fire: ScheduleFire) -> JSONObject {
    var event = event(fire.task == nil ? "skipped" : "fired", row)
    for (key, value) in fire.json { event[key] = value }
    if fire.outcome == ScheduleOutcome.failed.rawValue {
      event["severity"] = "warning"
      event["title"] = .string("The schedule \"\(row.name)\" could not make its task")
      event["reason"] = .string(fire.note ?? "")
    } else {
      event["__skipstorage"] = true
    }
    return event
  }
}
