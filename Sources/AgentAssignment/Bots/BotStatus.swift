/// The status of a bot as it is shown.
public enum BotStatus: String, Sendable, Hashable, CaseIterable {
  /// The bot takes tasks.
  case online
  /// The bot has no free slot, or says that it is busy.
  case busy
  /// The bot ends the tasks that it has and takes no new ones.
  case draining
  /// The bot is away. It said that itself, or its heartbeats stopped.
  case offline
  /// The bot has a fault that somebody must look at.
  case error

  /// Whether the bot's tasks are requeued when it gets this status.
  var losesTasks: Bool { self == .offline || self == .error }
}
