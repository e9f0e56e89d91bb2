/// What is to be done after something happened to a bot.
public enum BotAction: Sendable, Hashable {
  /// Tell that its status is now this one.
  case announce(BotStatus)
  /// Queue its tasks again, for others.
  case requeueTasks
  /// It was draining and has nothing left: it can be stopped.
  case drained
  /// Forget it.
  case forget
}
