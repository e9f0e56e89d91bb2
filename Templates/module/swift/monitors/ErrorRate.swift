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
    var rate = Rate(limit: settings.count, window: settings.window, cooldown: settings.cooldown)
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

/// Counts what happened within a window of time.
struct Rate {
  private let limit: Int
  private let window: Int64
  private let cooldown: Int64
  private var times: [Int64] = []
  private var lastAlert: Int64?

  /// `window` and `cooldown` are in seconds.
  init(limit: Int, window: Int, cooldown: Int) {
    self.limit = limit
    self.window = Int64(window) &* 1000
    self.cooldown = Int64(cooldown) &* 1000
  }

  /// Counts one; true when that is one too many, and the last alert was long enough ago.
  mutating func add(_ time: Int64) -> Bool {
    times.append(time)
    times.removeAll { time &- $0 >= window }
    guard times.count >= limit else { return false }
    if let lastAlert, time &- lastAlert < cooldown { return false }
    lastAlert = time
    return true
  }
}
