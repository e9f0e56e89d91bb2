internal import AgentEvents
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

/// Publishes each change of a task's state as an event: `task_created`, `task_queued`,
/// `task_running` and so on, with the whole task. A task that is queued at its creation has both
/// events.
///
/// Events are published to live subscribers only (`__skipstorage`), because the history of the task
/// has them. `task_failed` and `task_dead` are stored, so that rules for alerts find them at any
/// time.
final class TaskEvents: Sendable {
  private let events: EventBus

  init(_ events: EventBus) { self.events = events }

  /// Stores `task_failed` and `task_dead` in the transaction of the changes. The engine calls it on
  /// the writer's thread. An error undoes the transaction.
  func store(_ changes: [TaskChange], in transaction: any StoreTransaction) throws {
    let reported = changes.filter { Self.isTrouble($0) }.flatMap { change in
      Self.names(of: change).map { Self.event($0, change, isStored: true) }
    }
    if !reported.isEmpty { try events.append(reported, source: "agent", to: transaction) }
  }

  /// Publishes the other events. The engine calls it on the writer's thread with durable changes,
  /// so that it must be quick.
  func changed(_ changes: [TaskChange]) {
    // The dispatcher publishes an assignment itself, because it knows the bot.
    let reported = changes.filter {
      $0.changesState && $0.task.state != .assigned && !Self.isTrouble($0)
    }
    // An event has the whole task, and making it takes longer than the change itself.
    let awaited = events.awaited(of: Set(reported.flatMap(Self.names(of:)).map { "task_\($0)" }))
    if awaited.isEmpty { return }
    for change in reported {
      let names = Self.names(of: change).filter { awaited.contains("task_\($0)") }
      if names.isEmpty { continue }
      // A subscriber that isn't connected misses the event. The task's history has it.
      try? events.publish(
        names.map { Self.event($0, change, isStored: false) }, source: "agent")
    }
  }

  /// Whether the change is stored as an event: the task has failed or is dead.
  private static func isTrouble(_ change: TaskChange) -> Bool {
    change.changesState && !change.isRemoved
      && (change.task.state == .failed || change.task.state == .dead)
  }

  /// Returns the names of the events of a change, without the prefix `task_`.
  private static func names(of change: TaskChange) -> [String] {
    let state = change.task.state
    if change.isRemoved { return ["removed"] }
    guard change.former == nil else { return [state.rawValue] }
    // A waiting task isn't queued yet, and `created` says all about it.
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
