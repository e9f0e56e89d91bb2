internal import AgentEvents
internal import AgentJSON
internal import AgentStore
internal import AgentTasks

/// Publishes each change of a task as an event: `task_created`, `task_queued`, `task_running` … with
/// the whole task. One that is queued as it is created is told as both. They are live only (`__skipstorage`): a task's own history is the record. One that
/// has `task_failed` or `task_dead` is stored, so that rules for alerts find it whenever they look.
final class TaskEvents: Sendable {
  private let events: EventBus

  init(_ events: EventBus) { self.events = events }

  /// On the thread that stores: what needs time is done elsewhere, in the order of the changes.
  func changed(_ changes: [TaskChange]) {
    let isHeard = events.counts.subscriptions > 0
    // Who it was assigned to is told by the desk of bots, with the bot.
    for change in changes where change.changesState && change.task.state != .assigned {
      let isTrouble = change.task.state == .failed || change.task.state == .dead
      guard isHeard || isTrouble else { continue }
      let told = Self.names(of: change).map { Self.event($0, change, isStored: isTrouble) }
      _ = try? events.publish(told, source: "agent")
    }
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
      "to": .string(task.state.rawValue), "task": .object(TaskReport(task).json),
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
