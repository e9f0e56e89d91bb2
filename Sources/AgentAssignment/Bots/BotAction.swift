/// An act that the caller must perform after a bot changed.
public enum BotAction: Sendable, Hashable {
  /// Publish that its status is now this one.
  case announce(BotStatus)
  /// Requeue its tasks for other bots.
  case requeueTasks
  /// The bot was draining and has no task left. It can be stopped.
  case drained
  /// Remove the bot.
  case forget
}
