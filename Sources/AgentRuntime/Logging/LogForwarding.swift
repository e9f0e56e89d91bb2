internal import AgentEvents
internal import AgentJSON
internal import AgentSettings
internal import Synchronization

/// Publishes log records as events of one type, where `logging.forward` asks for it.
final class LogForwarding: Sendable {
  private let follower: UInt64
  private let log: LogHub

  /// Forwards records from now on.
  init(from log: LogHub, to events: EventBus, as type: String) {
    self.log = log
    follower = log.follow { record in
      var object = record.json.object ?? JSONObject()
      object["type"] = .string(type)
      object["timestamp"] = .number(JSONNumber(record.timestamp))
      // A record that can't be an event is in the log all the same.
      _ = try? events.publish([object], source: record.source)
    }
  }

  deinit { log.unfollow(follower) }
}

extension AgentHost {
  /// Begins, changes or ends forwarding, as the settings ask for it.
  func forwardLog(of settings: AgentSettings) {
    let forwarding = settings.logging.forward.map {
      LogForwarding(from: log, to: events, as: $0)
    }
    state.withLock { $0.forwarding = forwarding }
  }
}
