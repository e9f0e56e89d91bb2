internal import AgentTasks

/// The requeueing of the tasks that a bot had when it was lost, until that is stored.
struct PendingRelease: Sendable {
  let release: BotRelease
  /// The number of the release, counted together with the reservations. A task that the bot got
  /// under a greater number isn't requeued: the bot was back by then.
  let number: Int64
  /// Whether an earlier write failed.
  var isTriedAgain = false

  var bot: String { release.bot }
}
