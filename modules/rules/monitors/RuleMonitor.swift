import AgentKit

/// A monitor made of settings alone: queries, conditions, and what is said when they are met.
struct RuleMonitor: Monitor {
  typealias Settings = RuleProcessSettings

  static let name = "rule"

  private let runs: [RuleRun]

  init(settings: RuleProcessSettings, host: AgentHost) {
    runs = settings.rules.map { RuleRun($0, host) }
  }

  /// Runs all rules at once. The first that can't work ends them all, with its reason.
  func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for run in runs { group.addTask { try await run.run() } }
      defer { group.cancelAll() }
      while try await group.next() != nil {}
    }
  }
}
