import AgentAssignment
import AgentBots
import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting

/// In tests nil is the host.
extension TaskDispatcher {
  func say(_ id: String, _ status: BotStatus) async throws -> JSONObject {
    try await say(id, status, by: nil)
  }

  func heartbeat(_ id: String) async throws -> JSONObject { try await heartbeat(id, by: nil) }

  func heartbeat(
    _ id: Int64, progress: JSONValue?, lines: [(stream: String, text: String)], lease: Int64?
  ) async throws -> (row: AssignmentRow, isCancelling: Bool) {
    try await heartbeat(id, progress: progress, lines: lines, lease: lease, by: nil)
  }

  func update(_ id: String, _ definition: BotDefinition) async throws -> JSONObject {
    try await update(id, definition, by: nil)
  }

  func unregister(_ id: String) async throws { try await unregister(id, by: nil) }
  func explain(_ id: Int64) async throws -> JSONObject { try await explain(id, for: nil) }
  func choose(strategy: String) async throws { try await choose(strategy: strategy, by: nil) }

  func offers(to bot: String, milliseconds: Int64) async throws -> TaskDispatcher.OfferPage {
    try await offers(to: bot, milliseconds: milliseconds, by: nil)
  }

  func stream(of bot: String, after: Int64) throws(TaskError) -> BotOffers {
    try stream(of: bot, after: after, by: nil)
  }
}
