import AgentKit

/// The events that a rule has published since its memory was written last. After a crash the same
/// rows come again: the rule doesn't repeat an event of the log.
struct RuleLog: Sendable {
  /// The field of what is published that says what it comes of: the rule and the row.
  static let field = "cause"
  /// More can't have been published since, as the memory is written behind each; the newest are
  /// read.
  private static let most = 10_000
  /// How far back to look: events have the times of the rows, which may be late, and the clock may
  /// have been set back.
  private static let window = Duration.seconds(86_400)

  /// How often each is there.
  private var causes: [String: Int] = [:]

  init() {}

  /// - Parameter type: what the rule publishes.
  init(_ host: AgentHost, _ type: String) async throws {
    let isWord = type.utf8.allSatisfy {
      $0 == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
    }
    let filter = isWord && !type.isEmpty ? "\(type) \(Self.field):*" : "\(Self.field):*"
    let found = try await host.events.query(filter, window: Self.window, limit: Self.most)
    for event in found.events {
      if let cause = event.fields[Self.field]?.string { causes[cause, default: 0] += 1 }
    }
  }

  /// Whether something of this cause was published; true once for each.
  mutating func takes(_ cause: String) -> Bool {
    guard let count = causes[cause], count > 0 else { return false }
    causes[cause] = count - 1
    return true
  }
}
