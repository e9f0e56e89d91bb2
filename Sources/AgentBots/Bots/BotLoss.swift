internal import AgentAssignment
internal import AgentJSON

/// A bot whose heartbeats have stopped, which isn't stored yet.
struct BotLoss: Sendable {
  let bot: String
  /// The event that is stored with it.
  let event: JSONObject
  /// When it was noticed, in Unix milliseconds.
  let moment: Int64
  /// A write has failed, and may have been stored nevertheless.
  var isTriedAgain = false

  init(bot: String, event: JSONObject, moment: Int64) {
    self.bot = bot
    self.event = event
    self.moment = moment
  }
}

extension BotStateMachine {
  /// Whether the heartbeats of the bot have stopped.
  var isLost: Bool { if case .lost = self { true } else { false } }
}
