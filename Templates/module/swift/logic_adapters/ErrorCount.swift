import AgentKit

/// Answers "how many errors in the last 5 minutes?".
struct ErrorCount: LogicAdapter {
  struct Settings: Decodable, Sendable {
    var query: String
  }

  static let name = "error_count"

  private let settings: Settings
  private let host: AgentHost

  init(settings: Settings, host: AgentHost) {
    self.settings = settings
    self.host = host
  }

  func respond(to statement: Statement) async throws -> Answer? {
    guard let question = Question(statement.words) else { return nil }
    let found = try await host.events.query(
      settings.query, window: .seconds(question.seconds), limit: 1000)
    var text = found.truncated ? "More than \(found.events.count)" : "\(found.events.count)"
    text += found.events.count == 1 ? " error" : " errors"
    text += " in the last \(question.period)."
    if let line = found.events.last?["line"]?.string { text += " The latest: \(line)" }
    return Answer(
      text, confidence: question.confidence, data: ["count": JSONValue(found.events.count)])
  }
}

/// A question for the number of errors.
struct Question {
  let seconds: Int
  /// How sure it is that errors were asked for: most when both their number and a time are named.
  let confidence: Double

  /// Reads the words of a statement; `nil` when it isn't about errors.
  init?(_ words: [String]) {
    guard words.contains(where: { ["error", "errors", "failures"].contains($0) }) else { return nil }
    let counts = words.contains { ["many", "count", "number"].contains($0) }
    let period = Self.period(words)
    guard counts || period != nil || words.contains("any") else { return nil }
    seconds = period ?? 300
    confidence = counts ? (period == nil ? 0.8 : 0.95) : 0.6
  }

  /// The period in words.
  var period: String {
    let (count, unit) =
      seconds % 3600 == 0
      ? (seconds / 3600, "hour") : seconds % 60 == 0 ? (seconds / 60, "minute") : (seconds, "second")
    return count == 1 ? unit : "\(count) \(unit)s"
  }

  /// "5 minutes" or "hour" in seconds, a month at most.
  private static func period(_ words: [String]) -> Int? {
    let units = ["second": 1, "minute": 60, "hour": 3600, "day": 86_400]
    for (index, word) in words.enumerated() {
      guard let unit = units[word.hasSuffix("s") ? String(word.dropLast()) : word] else { continue }
      let count = index > 0 ? Int(words[index - 1]) ?? 1 : 1
      return min(max(count, 1), 2_592_000 / unit) * unit
    }
    return nil
  }
}
