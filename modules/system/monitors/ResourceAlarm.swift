import AgentKit

/// Publishes an alert when a field of an event is out of bounds for a while, and when it is back.
struct ResourceAlarm: Monitor {
  struct Settings: Decodable, Sendable {
    var query: String
    var field: String
    var comparison: Comparison
    var threshold: Double
    var patience: Int
    var hysteresis: Double
    var cooldown: Int
    var severity: Severity
    var output: Output?

    enum CodingKeys: String, CodingKey {
      case query, field, threshold, hysteresis, severity, output
      case comparison = "operator"
      case patience = "for_seconds"
      case cooldown = "cooldown_seconds"
    }
  }

  static let name = "resource_alarm"

  private let settings: Settings
  private let host: AgentHost

  init(settings: Settings, host: AgentHost) {
    self.settings = settings
    self.host = host
  }

  func run() async throws {
    var state = AlarmState(
      comparison: settings.comparison, threshold: settings.threshold,
      hysteresis: settings.hysteresis, patience: milliseconds(settings.patience),
      cooldown: milliseconds(settings.cooldown))
    var warned = false
    for try await batch in try host.events.subscribe(settings.query) {
      for event in batch.events {
        guard let value = event[settings.field]?.double else {
          if !warned { host.log(.warning, "An event has no number \"\(settings.field)\".") }
          warned = true
          continue
        }
        let time = event.timestamp ?? host.now
        if let change = state.observe(value, at: time) {
          try await publish(change, value, at: time)
        }
      }
    }
  }

  private func publish(_ change: AlarmState.Change, _ value: Double, at time: Int64) async throws {
    let (state, since): (Alert.State, Int64) =
      switch change {
      case .raised(let since): (.raised, since)
      case .resolved(let since): (.resolved, since)
      }
    let text = sentence(state, value, seconds: (time &- since) / 1000)
    host.log(state == .raised ? .warning : .notice, text)
    let fields: JSONObject = [
      "field": .string(settings.field), "operator": .string(settings.comparison.rawValue),
      "threshold": JSONValue(settings.threshold), "value": JSONValue(value),
    ]
    let alert = Alert(
      text, severity: settings.severity, state: state, key: settings.field, since: since,
      fields: fields)
    try await host.events.publish(alert, to: settings.output)
  }

  private func sentence(_ state: Alert.State, _ value: Double, seconds: Int64) -> String {
    let bound = "\(settings.comparison.words) \(plain(settings.threshold))"
    let found = "\(settings.field) is \(plain(value))"
    if state == .resolved {
      return "\(found): no longer \(bound), after \(seconds) s."
    }
    return seconds > 0 ? "\(found): \(bound) for \(seconds) s." : "\(found): \(bound)."
  }
}

/// Seconds from the settings in milliseconds; what doesn't fit is as good as for ever.
private func milliseconds(_ seconds: Int) -> Int64 {
  Int64(min(seconds, 1 << 40)) * 1000
}

/// A number for people: without `.0`.
func plain(_ value: Double) -> String {
  let rounded = (value * 10).rounded() / 10
  return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
}
