internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization

/// Publishes events about bots and assignments.
extension TaskDispatcher {
  /// Performs the actions that follow from a change of a bot.
  func announce(_ actions: [BotAction], of id: String) {
    for action in actions {
      switch action {
      case .announce(let status):
        guard let report = try? bot(id) else { continue }
        publishEvent(
          "bot_status_changed", ["bot": .object(report), "status": .string(status.rawValue)],
          about: id)
      case .drained:
        guard let report = try? bot(id) else { continue }
        publishEvent("bot_drained", ["bot": .object(report)], about: id)
      case .requeueTasks:
        // Decided now: the bot may be back and have other tasks before the task below runs.
        let release = pendingRelease(of: id, note: "The bot was lost.")
        // In a task of its own: this function may run on the writer's thread, which must not wait.
        Task { await carryOut(release) }
      case .forget: break
      }
    }
  }

  /// Publishes an event to live subscribers. It isn't stored.
  func publishEvent(_ type: String, _ members: JSONObject, about key: String) {
    var event = Self.event(type, members, about: key)
    event["__skipstorage"] = true
    publish(event)
  }

  /// Returns an event that a person should see. It is stored with its cause: ``record(_:in:)``.
  static func trouble(
    _ type: String, _ members: JSONObject, about key: String, title: String
  ) -> JSONObject {
    var event = event(type, members, about: key)
    (event["severity"], event["title"]) = ("warning", .string(title))
    return event
  }

  private static func event(_ type: String, _ members: JSONObject, about key: String) -> JSONObject
  {
    var event: JSONObject = ["type": .string(type), "key": .string(key)]
    for (name, value) in members {
      // Events have a size limit, and a task's input may be large.
      event[name] = value.object.map { .object($0.fitForEvent()) } ?? value
    }
    return event
  }

  /// Stores an event in the transaction of its cause. Without a recorder, publishes it after the
  /// commit.
  func record(_ event: JSONObject, in transaction: any StoreTransaction) throws {
    if let recorder = recorder.withLock(\.self) { return try recorder(event, transaction) }
    transaction.afterCommit { [publish] in publish(event) }
  }
}
