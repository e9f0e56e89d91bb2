internal import AgentStore
internal import AgentSystem
internal import Synchronization

/// Reports problems that need the attention of a person.
extension TaskEngine {
  /// The time in milliseconds after which a queue counts as blocked if no task in it begins or
  /// ends.
  private static let stillness: Int64 = 600_000

  /// Sentences about dead tasks, blocked queues and artifacts without space. Empty if there is no
  /// problem.
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
      let (files, most) = (state.sizes.artifacts, state.plan.maxArtifactBytes)
      if files > most / 100 * 95 {
        troubles.append(
          "The artifacts of tasks have \(files >> 20) of \(most >> 20) MB "
            + "(tasks.max_artifact_bytes), and those of ended tasks are removed already. Further "
            + "ones are refused.")
      }
      let still = moment.subtracting(state.movedAt)
      if state.phase.openStore != nil, state.queueLimits.hasWork, still >= Self.stillness {
        troubles.append(
          "Tasks are queued, and none has begun or ended for \(Self.words(still)): "
            + "\(state.attempts.count) of \(state.plan.slots) slots are in use. \"agent task "
            + "explain NUMBER\" says why one waits.")
      }
      return troubles
    }
  }

  /// Counts the dead tasks again, because the removal of old tasks reports no changes.
  /// - Parameter isAnew: whether the open tasks are counted too. Allowed only while nothing
  ///   changes, because otherwise the count may be outdated when it is set.
  func countDead(_ store: any Store, isAnew: Bool = false) async throws {
    let totals = try await store.read { try $0.tasks.taskTotals() }
    let dead = totals[.dead] ?? 0
    let open = totals.reduce(0) { $0 + ($1.key.isEnded ? 0 : $1.value) }
    state.withLock { state in
      state.dead = dead
      if isAnew { state.open = open }
    }
  }
}

extension EngineState {
  /// Updates the counts of dead and open tasks and the time of the last beginning or end.
  mutating func note(_ change: TaskChange, now: Int64) {
    let (former, next) = (change.former, change.isRemoved ? nil : change.task.state)
    if former == .dead { dead -= 1 }
    if next == .dead { dead += 1 }
    if former?.isEnded == false { open -= 1 }
    if next?.isEnded == false { open += 1 }
    // An empty queue isn't blocked. The time counts from its first task.
    if former == .running || next == .running || !queueLimits.hasWork { movedAt = now }
  }
}
