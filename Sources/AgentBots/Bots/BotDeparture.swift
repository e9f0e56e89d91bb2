/// The end of a worker whose bot must be set offline. It isn't stored yet.
struct BotDeparture: Sendable {
  let bot: String
  /// Whether no other worker has claimed the bot. It runs on the writer's thread.
  let isMeant: @Sendable () -> Bool
  /// Whether an earlier write failed.
  var isTriedAgain = false

  init(bot: String, isMeant: @escaping @Sendable () -> Bool) {
    (self.bot, self.isMeant) = (bot, isMeant)
  }
}
