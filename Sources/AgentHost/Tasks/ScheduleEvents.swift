internal import AgentEvents
internal import AgentJSON
internal import AgentScheduler
internal import AgentStore
internal import AgentTasks

/// Publishes what happens to schedules: `schedule_created`, `schedule_changed`, `schedule_deleted`,
/// `schedule_fired` and `schedule_skipped`, with the schedule. Those about fire times are
/// live only (`__skipstorage`), since the schedule's own list of them is the record; one whose task
/// could not be made is stored, so that rules for alerts find it whenever they look. A stored event
/// is part of the commit that it reports.
struct ScheduleEvents: Sendable {
  private let events: EventBus

  init(_ events: EventBus) { self.events = events }

  /// Stores events in the transaction of the change. The scheduler calls it on the store's thread;
  /// an error undoes the transaction.
  func store(_ notices: [ScheduleNotice], in transaction: any StoreTransaction) throws {
    let reported = notices.filter(Self.isStored).map(Self.event)
    if !reported.isEmpty { try events.append(reported, source: "agent", to: transaction) }
  }

  func happened(_ notices: [ScheduleNotice]) {
    for notice in notices where !Self.isStored(notice) {
      do {
        try events.publish([Self.event(notice)], source: HostOutbox.source, by: .host) { _ in }
      } catch {
        // An event of the host's own is valid.
        assertionFailure("\(error)")
      }
    }
  }

  private static func isStored(_ notice: ScheduleNotice) -> Bool {
    // Fire times are in the schedule's own list. Only one that made no task is worth an alert.
    guard case .decided(_, let fire, _) = notice else { return true }
    return fire.outcome == ScheduleOutcome.failed.rawValue
  }

  private static func event(_ notice: ScheduleNotice) -> JSONObject {
    switch notice {
    case .created(let row): event("created", row)
    case .changed(let row): event("changed", row)
    case .deleted(let row): event("deleted", row)
    case .decided(let row, let fire, _): event(row, fire)
    }
  }

  private static func event(_ what: String, _ row: ScheduleRow) -> JSONObject {
    [
      "type": .string("schedule_\(what)"), "schedule_id": .string("\(row.id)"),
      "key": .string("\(row.id)"), "schedule": .object(ScheduleReport(row).json.fitForEvent()),
    ]
  }

  private static func event(_ row: ScheduleRow, _ fire: ScheduleFire) -> JSONObject {
    var event = event(fire.task == nil ? "skipped" : "fired", row)
    for (key, value) in fire.json { event[key] = value }
    if fire.outcome == ScheduleOutcome.failed.rawValue {
      event["severity"] = "warning"
      event["title"] = .string("The schedule \"\(row.name)\" could not create its task")
      event["reason"] = .string(fire.note ?? "")
    } else {
      event["__skipstorage"] = true
    }
    return event
  }
}
