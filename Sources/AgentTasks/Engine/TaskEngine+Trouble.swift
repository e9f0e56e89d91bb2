internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// What people should look at.
extension TaskEngine {
  /// The queue counts as standing still when nothing has begun or ended for so many milliseconds.
  private static let stillness: Int64 = 600_000

  /// Sentences about dead letters and a queue that stands still; empty when all is well.
  public var troubles: [String] {
    let moment = now()
    return state.withLock { state in
      var troubles: [String] = []
      if state.dead > 0 {
        troubles.append(
          "\(state.dead == 1 ? "A task is" : "\(state.dead) tasks are") dead: all attempts are "
            + "used, or nobody took it in time. \"agent task list --status dead\" lists them, "
            + "\"agent task retry --dead\" retries them.")
      }
      let still = moment.subtracting(state.movedAt)
      if state.store != nil, state.board.hasWork, still >= Self.stillness {
        troubles.append(
          "Tasks are queued, and none has begun or ended for \(Self.words(still)): "
            + "\(state.attempts.count) of \(state.plan.slots) slots are in use. \"agent task "
            + "explain NUMBER\" says why one waits.")
      }
      return troubles
    }
  }

  /// Counts the dead letters anew: what is removed after its time isn't told to anybody.
  /// - Parameter isAnew: nothing changes meanwhile; what has not ended is counted too.
  func countDead(_ store: any Store, isAnew: Bool = false) async {
    guard let counts = try? await store.read({ try $0.tasks.taskCounts() }) else { return }
    let dead = counts.reduce(0) { $0 + ($1.state == .dead ? $1.count : 0) }
    let open = counts.reduce(0) { $0 + ($1.state.isEnded ? 0 : $1.count) }
    state.withLock { state in
      state.dead = dead
      if isAnew { state.open = open }
    }
  }
}

extension EngineState {
  /// Keeps the counts of dead letters and of what has not ended, and when something last moved.
  mutating func note(_ change: TaskChange, now: Int64) {
    let (former, next) = (change.former, change.isRemoved ? nil : change.task.state)
    if former == .dead { dead -= 1 }
    if next == .dead { dead += 1 }
    if former?.isEnded == false { open -= 1 }
    if next?.isEnded == false { open += 1 }
    // A queue that was empty until now has not stood still.
    if former == .running || next == .running || !board.hasWork { movedAt = now }
  }
}
