import AgentKit

/// Publishes an alert when errors come too fast.
struct ErrorRate: Monitor {
  struct Settings: Decodable, Sendable {
    var query: String
    var count: Int
    var window: Int
    var cooldown: Int
    var output: Output?

    enum CodingKeys: String, CodingKey {
      case query, count, output
      case window = "window_seconds"
      case cooldown = "cooldown_seconds"
    }
  }

  static let name = "error_rate"

  private let settings: Settings
  private let host: AgentHost

  init(settings: Settings, host: AgentHost) {
    self.settings = settings
    self.host = host
  }

  func run() async throws {
    var rate = RateDetector(
      limit: settings.count, window: .seconds(settings.window),
      cooldown: .seconds(settings.cooldown))
    for try await batch in try host.events.subscribe(settings.query) {
      for event in batch.events where rate.add(event.timestamp ?? host.now) {
        try await alert(last: event["line"]?.string ?? event.type)
      }
    }
  }

  private func alert(last line: String) async throws {
    let text = "\(settings.count) errors within \(settings.window) seconds. The last: \(line)"
    host.log(.warning, text)
    let fields: JSONObject = ["count": JSONValue(settings.count), "line": .string(line)]
    try await host.events.publish(Alert(text, fields: fields), to: settings.output)
  }
}
