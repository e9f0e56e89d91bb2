internal import AgentEvents
internal import AgentJSON
internal import AgentScheduler
internal import AgentStore
internal import AgentTasks

/// Publishes events about schedules: `schedule_created`, `schedule_changed`, `schedule_deleted`,
/// `schedule_fired` and `schedule_skipped`. Each contains the schedule.
///
/// Events about fire times are published to live subscribers only (`__skipstorage`), because the
/// schedule's own records have them. An event about a fire time whose task couldn't be created is
/// stored, so that rules for alerts find it at any time. A stored event is in the transaction of
/// its cause.
struct ScheduleEvents: Sendable {
  private let events: EventBus

  init(_ events: EventBus) { self.events = events }

  /// Stores events in the transaction of the change. The scheduler calls it on the writer's thread.
  /// An error undoes the transaction.
  func store(_ notices: [ScheduleNotice], in transaction: any StoreTransaction) throws {
    let reported = notices.filter(Self.isStored).map(Self.event)
    if !reported.isEmpty { try events.append(reported, source: "agent", to: transaction) }
  }

  /// Publishes the events that aren't stored. The scheduler calls it on the writer's thread with
  /// durable changes.
  func happened(_ notices: [ScheduleNotice]) {
    for notice in notices where !Self.isStored(notice) {
      do {
        try events.publish([Self.event(notice)], source: HostOutbox.source, by: .host) { _ in }
      } catch {
        // The host's own events are always valid.
        assertionFailure("\(error)")
      }
    }
  }

  private static func isStored(_ notice: ScheduleNotice) -> Bool {
    // Records of fire times are stored already. Only one without a task needs an alert.
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
    // At the top level, where conditions of rules can name them.
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
