internal import AgentAssignment
internal import AgentJSON

/// A bot whose heartbeats have stopped, until that is stored.
struct BotLoss: Sendable {
  let bot: String
  /// The event that is stored in the same transaction.
  let event: JSONObject
  /// The moment at which the host noticed it, in Unix milliseconds.
  let moment: Int64
  /// Whether an earlier write failed. It may have been stored nevertheless.
  var isTriedAgain = false

  init(bot: String, event: JSONObject, moment: Int64) {
    self.bot = bot
    self.event = event
    self.moment = moment
  }
}

extension BotStateMachine {
  /// Whether the bot counts as lost because its heartbeats have stopped.
  var isLost: Bool { if case .lost = self { true } else { false } }
}
