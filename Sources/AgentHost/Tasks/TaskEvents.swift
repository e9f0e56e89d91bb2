internal import AgentEvents
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

/// Publishes each change of a task as an event: `task_created`, `task_queued`, `task_running` …
/// with the whole task. A task that is queued at its creation causes both events. The events are
/// live only (`__skipstorage`), since a task's own history is the record. `task_failed` and
/// `task_dead` are stored, so that rules for alerts find them whenever they look.
final class TaskEvents: Sendable {
  private let events: EventBus

  init(_ events: EventBus) { self.events = events }

  /// Stores `task_failed` and `task_dead` in the transaction of their changes. The engine calls it
  /// on the store's thread; an error undoes the transaction.
  func store(_ changes: [TaskChange], in transaction: any StoreTransaction) throws {
    let reported = changes.filter { Self.isTrouble($0) }.flatMap { change in
      Self.names(of: change).map { Self.event($0, change, isStored: true) }
    }
    if !reported.isEmpty { try events.append(reported, source: "agent", to: transaction) }
  }

  /// Publishes the other events once the changes are durable. The engine calls it on the thread
  /// that stores, so it must be quick.
  func changed(_ changes: [TaskChange]) {
    // The dispatcher publishes an assignment itself, with the bot.
    let reported = changes.filter {
      $0.changesState && $0.task.state != .assigned && !Self.isTrouble($0)
    }
    // An event has the whole task, and making it takes longer than the change itself.
    let awaited = events.awaited(of: Set(reported.flatMap(Self.names(of:)).map { "task_\($0)" }))
    if awaited.isEmpty { return }
    for change in reported {
      let names = Self.names(of: change).filter { awaited.contains("task_\($0)") }
      if names.isEmpty { continue }
      // Live only: a subscriber that isn't there misses it, and the task's own history has it.
      try? events.publish(
        names.map { Self.event($0, change, isStored: false) }, source: "agent")
    }
  }

  private static func isTrouble(_ change: TaskChange) -> Bool {
    change.changesState && !change.isRemoved
      && (change.task.state == .failed || change.task.state == .dead)
  }

  private static func names(of change: TaskChange) -> [String] {
    let state = change.task.state
    if change.isRemoved { return ["removed"] }
    guard change.former == nil else { return [state.rawValue] }
    return state == .waiting ? ["created"] : ["created", state.rawValue]
  }

  private static func event(_ what: String, _ change: TaskChange, isStored: Bool) -> JSONObject {
    let task = change.task
    var object: JSONObject = [
      "type": .string("task_\(what)"), "task_id": .string("\(task.id)"),
      "key": .string("\(task.id)"), "task_type": .string(task.type),
      "from": change.former.map { .string($0.rawValue) } ?? .null,
      "to": .string(task.state.rawValue), "task": .object(TaskReport(task).event),
    ]
    if isStored {
      object["severity"] = "warning"
      object["title"] = .string("The task \"\(task.name)\" (\(task.id)) is \(task.state.rawValue)")
      object["reason"] = TaskReport(task).result?["error"] ?? ""
    } else {
      object["__skipstorage"] = true
    }
    return object
  }
}
