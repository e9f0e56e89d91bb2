/// The end of a worker whose bot must be set offline. It isn't stored yet.
struct BotDeparture: Sendable {
  let bot: String
  /// The number of the departure, counted together with the reservations.
  let number: Int64
  /// The owner of the bot. A bot that was registered anew by somebody else stays as it is.
  let owner: String?
  /// Whether no other worker has claimed the bot. It runs on the writer's thread.
  let isMeant: @Sendable () -> Bool
  /// Whether an earlier write failed.
  var isTriedAgain = false

  init(
    bot: String, number: Int64, owner: String?, isMeant: @escaping @Sendable () -> Bool
  ) {
    (self.bot, self.number) = (bot, number)
    (self.owner, self.isMeant) = (owner, isMeant)
  }
}
