import AgentKit

/// Answers "how busy is the machine?" from the latest values.
struct SystemStatus: LogicAdapter {
  struct Settings: Decodable, Sendable {
    var query: String
    var window: Int

    enum CodingKeys: String, CodingKey {
      case query
      case window = "window_seconds"
    }
  }

  static let name = "system_status"

  private let settings: Settings
  private let host: AgentHost

  init(settings: Settings, host: AgentHost) {
    self.settings = settings
    self.host = host
  }

  func respond(to statement: Statement) async throws -> Answer? {
    guard let (topic, confidence) = Topic.recognize(statement) else { return nil }
    let recent = try await host.events.query(
      settings.query, window: .seconds(settings.window), limit: 1)
    guard let event = recent.events.last else {
      return Answer(
        "I have no values of the last \(settings.window) seconds. Is a host_metrics process running?",
        confidence: confidence)
    }
    let seconds = max(host.now &- (event.timestamp ?? host.now), 0) / 1000
    guard let text = StatusText(event).about(topic) else {
      return Answer("That is not among the values that I have.", confidence: confidence)
    }
    return Answer(
      "\(text) Measured \(seconds == 1 ? "1 second" : "\(seconds) seconds") ago.",
      confidence: confidence, data: .object(event.fields))
  }
}
