internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization

/// Events about bots and what they are given.
extension TaskDispatcher {
  /// Publishes what follows from an event of a bot.
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
        // In a task of its own: callers of this function can't wait for the store.
        Task { await release(id, note: "The bot was lost.") }
      case .forget: break
      }
    }
  }

  /// Publishes what has happened, live only.
  func publishEvent(_ type: String, _ members: JSONObject, about key: String) {
    var event = Self.event(type, members, about: key)
    event["__skipstorage"] = true
    publish(event)
  }

  /// An event that needs a person. It is stored with its cause: ``record(_:in:)``.
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
      event[name] = value.object.map { .object($0.fitForEvent()) } ?? value
    }
    return event
  }

  /// Stores an event in the transaction of its cause.
  func record(_ event: JSONObject, in transaction: any StoreTransaction) throws {
    if let recorder = recorder.withLock(\.self) { return try recorder(event, transaction) }
    transaction.afterCommit { [publish] in publish(event) }
  }
}
