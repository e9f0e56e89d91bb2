internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization

/// Runs the bots that are part of this agent. They aren't stored, because the settings define them.
/// Tasks that they had when the host ended are requeued at the next start.
extension TaskDispatcher {
  /// The time in milliseconds after which a bot that was lost during a task is examined again. The
  /// restart of its process may not be reported.
  private static let restAfterLoss: Int64 = 1_000
  /// The number of lost attempts after which a task isn't retried. An attempt is lost when the
  /// bot's process ends during it. The number is below the number of ends after which a worker
  /// isn't started any more: one task must not make a module unavailable.
  static let maxLosses: Int64 = 3

  /// Sets whether a worker runs. While it doesn't, its bots are offline, and their tasks are
  /// requeued.
  /// - Parameters:
  ///   - name: the name of the worker's process.
  ///   - why: the reason for the end, as a sentence. The history of the tasks shows it.
  public func setWorker(_ name: String, isUp: Bool, why: String = "Its worker has ended.") {
    let bots = state.withLock { state in
      state.workersUp[name] = isUp
      return state.local.values.filter { $0.worker == name }.map(\.id)
    }
    for bot in bots { appear(bot, isThere: isUp, why: why) }
  }

  /// Sets whether a local bot is present, and performs the resulting actions.
  private func appear(_ bot: String, isThere: Bool, why: String) {
    let moment = now()
    let actions = state.withLock { state in
      let event: BotStateMachine.Event = isThere ? .heartbeat : .heartbeatMissed
      let actions = state.roster.apply(event, to: bot, at: moment) ?? []
      if isThere, !actions.isEmpty { state.records[bot]?.since = moment }
      return actions
    }
    if actions.contains(.requeueTasks) {
      // Decided now: the bot may be back and have other tasks before the task below runs.
      let release = pendingRelease(of: bot, note: why)
      // In a task of its own: the caller reports a process's end and must not wait for the disk.
      Task { await carryOut(release) }
    }
    perform(actions.filter { $0 != .requeueTasks }, of: bot)
  }

  /// Replaces the local bots by those of the plan and of the pools. Reports the added and removed
  /// ones.
  func adopt() {
    let moment = now()
    let change = state.withLock { state in
      state.adopt(state.plan.local + state.pooled.values.flatMap(\.self), at: moment)
    }
    for id in change.refused {
      log(
        .warning,
        "The settings have a bot \"\(id)\", but another one is registered by that id. Unregister it "
          + "(agent bot unregister \(id)), or rename the one in the settings.")
    }
    for id in change.new {
      if let report = try? bot(id) {
        publishEvent("bot_registered", ["bot": .object(report)], about: id)
      }
    }
    state.withLock { state in
      state.gone.formUnion(change.gone.map(\.id))
      state.gone.subtract(state.local.keys)
    }
    for bot in change.gone {
      let release = pendingRelease(
        of: bot.id, note: "The settings don't have the bot any more.")
      Task { await carryOut(release) }
      publishEvent("bot_unregistered", ["bot": .object(bot.json)], about: bot.id)
    }
    if !change.gone.isEmpty { Task { await endGone() } }
  }

  /// Calls ``alsoEnding(_:)``'s body for the removed bots of the settings, which revokes their
  /// tokens. After a failure, the next round tries again.
  public func endGone() async {
    let known = state.withLock { (store: $0.phase.openStore, ending: $0.ending, gone: $0.gone) }
    guard let store = known.store, let ending = known.ending else { return }
    for id in known.gone.sorted() {
      do {
        try await store.write { try ending(id, $0) }
        state.withLock { _ = $0.gone.remove(id) }
      } catch {
        log(.error, "The tokens of the removed bot \(id) can't be revoked now. \(error)")
      }
    }
  }

  /// Checks that the settings don't define a bot.
  /// - Throws: `conflict` if they do.
  func checkIsNotLocal(_ id: String) throws(TaskError) {
    guard state.withLock({ $0.local[id] != nil }) else { return }
    throw TaskError(
      .conflict,
      "The bot \(id) is defined in the settings (bots.local). Change it there, and reload them.")
  }

  /// Removes a task from a bot, and cancels its attempt and its delivery.
  /// - Returns: the former entry, and the actions that the caller must perform. Nil if the bot
  ///   doesn't have the task.
  func removeAssignment(_ key: DispatcherState.Key, at moment: Int64) -> (
    held: DispatcherState.Held, actions: [BotAction]
  )? {
    let (found, ended) = state.withLock { state in
      (state.removeAssignment(key, at: moment), [state.works[key], state.deliveries[key]])
    }
    // Outside of the lock: cancelling runs handlers, which may take it.
    for task in ended { task?.cancel() }
    return found
  }

  // MARK: Pools

  /// Sets the bots that are the instances of a pool.
  func pool(_ name: String, has bots: [LocalBot]) {
    let isChange = state.withLock { state in
      defer { state.pooled[name] = bots.isEmpty ? nil : bots }
      // An unchanged list is applied too: the plan may give the bots other definitions.
      return Set((state.pooled[name] ?? []).map(\.id)) != Set(bots.map(\.id)) || !bots.isEmpty
    }
    guard isChange else { return }
    adopt()
    routeAndAssign()
  }

  /// Returns the number of tasks that a bot has.
  func load(of bot: String) -> Int { state.withLock { $0.roster[bot]?.load.total ?? 0 } }

  /// Sets whether a bot is draining. A draining bot gets no new tasks.
  func drain(_ bot: String, _ isDraining: Bool) {
    let moment = now()
    let actions = state.withLock { state in
      var actions =
        state.roster.apply(.said(isDraining ? .draining : .online), to: bot, at: moment) ?? []
      // A status that is set makes the bot online, but its process may not run.
      if let local = state.local[bot], !state.isThere(local) {
        actions += state.roster.apply(.heartbeatMissed, to: bot, at: moment) ?? []
      }
      return actions
    }
    perform(actions.filter { $0 != .requeueTasks }, of: bot)
  }

  // MARK: Work

  /// Starts the attempt of an assignment if a local bot has it. Does nothing for other bots.
  func begin(_ row: AssignmentRow) {
    let key = DispatcherState.Key(task: row.task, attempt: row.attempt)
    state.withLock { state in
      guard let bot = state.local[row.bot], state.held[key] != nil, state.works[key] == nil,
        !state.phase.isStopping
      else { return }
      state.works[key] = Task {
        await attempt(row, bot)
        self.state.withLock { $0.works[key] = nil }
      }
    }
  }

  /// Accepts an assignment, runs the task, and stores its outcome.
  private func attempt(_ row: AssignmentRow, _ bot: LocalBot) async {
    let lease = TaskLease(task: row.task, attempt: row.attempt, owner: row.bot)
    do {
      let accepted = try await retryUntilStored(lease) {
        try await tasks.accept(lease, silence: nil, by: row.bot)
      }
      guard let task = accepted else { return }
      do {
        let outcome = try await tasks.attempt(task, by: bot.executor)
        // The end of the host has cancelled the task. `stopLocal` requeues it.
        if state.withLock(\.phase.isStopping), Task.isCancelled { return }
        _ = try await retryUntilStored(lease) {
          try await tasks.complete(lease, outcome, by: row.bot)
        }
      } catch let loss as BotLost {
        await lost(lease, bot: bot, reason: loss.reason)
      }
    } catch {
      log(.warning, "The outcome of task \(row.task) can't be stored. \(error)")
      await requeue(lease, "Its outcome couldn't be stored.")
    }
  }

  /// Requeues a task whose bot's process has ended during it.
  private func lost(_ lease: TaskLease, bot: LocalBot, reason: String) async {
    // Offline first. Otherwise, the bot would get the same task at once.
    appear(bot.id, isThere: false, why: reason)
    await requeue(lease, reason)
    // In a task of its own: the current one is cancelled with the lease.
    Task { [pause] in
      try? await pause(.milliseconds(Self.restAfterLoss))
      let isThere = state.withLock { state in state.local[bot.id].map(state.isThere) ?? false }
      if isThere { appear(bot.id, isThere: true, why: "") }
    }
  }

  /// Requeues a task that its bot couldn't finish. If that can't be stored, the next start does it.
  private func requeue(_ lease: TaskLease, _ note: String) async {
    do {
      _ = try await retryUntilStored(lease) {
        try await tasks.requeue(lease, note: note, maxLost: Self.maxLosses)
      }
    } catch {
      log(
        .warning, "Task \(lease.task) can't be requeued now; the next start requeues it. \(error)")
    }
  }

  /// Ends the attempts of local bots and requeues their tasks, which continue at the next start.
  func stopLocal(_ store: any Store) async {
    let running = state.withLock { state in
      _ = state.phase.apply(.stop)
      return (
        works: Array(state.works.values), deliveries: Array(state.deliveries.values),
        bots: Array(state.local.keys)
      )
    }
    // Outside of the lock: cancelling runs handlers, which may take it.
    for task in running.deliveries + running.works { task.cancel() }
    if !running.works.isEmpty { await end(of: running.works) }
    // After the attempts have ended: their outcomes need the leases.
    await tasks.release(
      running.bots, in: store, note: "The host ended; the task continues at the next start.")
  }

  /// Waits until attempts have ended, at most for the grace time of the plan. An action that
  /// ignores its cancellation must not stop the host from ending.
  private func end(of works: [Task<Void, Never>]) async {
    let (ends, source) = AsyncStream.makeStream(of: Void.self)
    Task {
      for work in works { await work.value }
      source.finish()
    }
    let timer = Task { [pause, grace = tasks.plan.stopGrace] in
      try? await pause(.milliseconds(grace))
      source.finish()
    }
    // In a task of its own: the current one is cancelled, which would end the stream at once.
    await Task { for await _ in ends {} }.value
    timer.cancel()
  }
}
