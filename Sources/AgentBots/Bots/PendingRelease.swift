/// The requeueing of the tasks that a bot had when it was lost, until that is stored.
struct PendingRelease: Sendable {
  let bot: String
  /// The reason, which the history of the tasks shows.
  let note: String
  /// The number of losses after which a task is dead.
  let maxLost: Int64
  /// The number of the release, counted together with the reservations. A task that the bot got
  /// under a greater number isn't requeued: the bot was back by then.
  let number: Int64
  /// Whether an earlier write failed.
  var isTriedAgain = false
}
