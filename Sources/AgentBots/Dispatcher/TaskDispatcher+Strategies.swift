internal import AgentAssignment
internal import AgentJSON
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// Decides by the built-in strategies and those of modules.
extension TaskDispatcher {
  /// In milliseconds. A module's strategy that fails after more than this is paused, because every
  /// waiting task would wait for it.
  private static let patience: Int64 = 1_000
  // The length of the pause, in milliseconds.
  private static let rest: Int64 = 30_000

  /// Decides which bot gets a task now.
  /// - Parameter isMeant: whether the task names its bot. A module's strategy isn't asked then.
  func decide(_ task: AssignmentTask, isMeant: Bool = false) async -> Decision {
    let strategy = state.withLock { $0.strategy }
    if case .custom(let name) = strategy, !isMeant { return await ask(name, task) }
    return state.withLock { $0.roster.decide(task, strategy: strategy) }
  }

  /// Asks a module's strategy. After a failure, `best_fit` decides.
  private func ask(_ name: String, _ task: AssignmentTask) async -> Decision {
    let known = state.withLock {
      (roster: $0.roster, strategy: $0.plan.strategies[name], resting: $0.resting[name])
    }
    let roster = known.roster
    guard let strategy = known.strategy else {
      return roster.fallback(task, from: name, because: "no module offers it.")
    }
    // Without a possible bot, the question is useless.
    let plain = roster.decide(task, strategy: .bestFit)
    guard plain.choice != nil else { return plain }
    let asked = now()
    if let resting = known.resting, asked < resting.until {
      return roster.fallback(
        task, from: name, because: "it is paused for a while. \(resting.reason)")
    }
    do {
      let answer = try await strategy(roster.request(task))
      // Checked against the current bots: they may have changed while the module decided.
      return state.withLock { $0.roster.decide(task, strategy: name, answer: answer) }
    } catch {
      noteFailure(of: name, asked: asked, "\(error)")
      return state.withLock { $0.roster.fallback(task, from: name, because: "\(error)") }
    }
  }

  /// Pauses a strategy that took long to fail. `asked` is in Unix milliseconds.
  private func noteFailure(of name: String, asked: Int64, _ reason: String) {
    let moment = now()
    // A quick failure delays no other task.
    guard moment.subtracting(asked) >= Self.patience else { return }
    state.withLock {
      $0.resting[name] = DispatcherState.Resting(until: moment.adding(Self.rest), reason: reason)
    }
    log(
      .warning,
      "The strategy \(name) is paused for \(Self.rest / 1_000) s; best_fit replaces it. \(reason)")
  }
}
