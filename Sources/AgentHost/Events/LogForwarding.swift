internal import AgentEvents
internal import AgentJSON
internal import AgentLogging

/// Publishes log records as events of one type, as `logging.forward` says. They go through the
/// host's outbox, so they keep their order and wait while nothing can be stored: rules for alerts
/// rely on them.
final class LogForwarding: Sendable {
  private let subscription: UInt64
  private let log: LogHub
  private let events: EventBus
  private let type: String

  /// Forwards records from now on.
  init(from log: LogHub, to outbox: HostOutbox, of events: EventBus, as type: String) {
    self.log = log
    self.events = events
    self.type = type
    events.reserve(type: type)
    subscription = log.subscribe { record in
      var object = record.json.object ?? JSONObject()
      object["type"] = .string(type)
      object["timestamp"] = .number(JSONNumber(record.timestamp))
      object["source"] = .string(record.source)
      outbox.publish(object)
    }
  }

  deinit {
    log.unsubscribe(subscription)
    events.release(type: type)
  }
}
