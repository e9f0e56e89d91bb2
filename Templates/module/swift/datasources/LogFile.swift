import AgentKit

/// Publishes the lines of a log file as they are written.
struct LogFile: Datasource {
  struct Settings: Decodable, Sendable {
    var path: String
    var from: LogFollower.Start
    var pause: Int
    var errorWords: [String]

    enum CodingKeys: String, CodingKey {
      case path, from
      case pause = "pause_ms"
      case errorWords = "error_words"
    }
  }

  static let name = "log_file"

  private let settings: Settings
  private let host: AgentHost

  init(settings: Settings, host: AgentHost) {
    self.settings = settings
    self.host = host
  }

  func run() async throws {
    var kept = try await host.state.get("position", as: LogFollower.Position.self)
    var follower = LogFollower(path: settings.path, from: settings.from, after: kept)
    var missing = false
    while true {
      let lines = follower.read()
      if !lines.isEmpty { try await host.events.publish(lines.map(event)) }
      // Behind the lines that are in the log: after a restart none is missing, and none but those
      // of a batch that was under way comes twice.
      if let position = follower.position, position != kept {
        try await host.state.set("position", to: position)
        kept = position
      }
      if follower.isMissing, !missing { host.log(.warning, "\(settings.path) isn't there yet.") }
      missing = follower.isMissing
      // A file that has just given lines may have more.
      if lines.isEmpty { try await host.sleep(for: .milliseconds(settings.pause)) }
    }
  }

  private func event(_ line: String) -> Event {
    let lowered = line.lowercased()
    let isError = settings.errorWords.contains { lowered.contains($0.lowercased()) }
    return Event(
      "log_line",
      fields: [
        "file": .string(settings.path), "line": .string(line),
        "level": isError ? "error" : "info",
      ])
  }
}
