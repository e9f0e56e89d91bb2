internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization

/// Bots that are part of this agent. They aren't stored: the settings have them, and what they had
/// when the host ended is queued again at its next start.
extension TaskDispatcher {
  /// After this many milliseconds the dispatcher looks again at a bot that was lost during a task,
  /// because no event may report the state of its process.
  private static let restAfterLoss: Int64 = 1_000
  /// A task during which the process of its bot ended this often isn't tried again. It is fewer
  /// than the ends after which a worker isn't started any more: one task must not take from a
  /// module all that it offers.
  static let maxLosses: Int64 = 3

  /// Says whether a worker is up, by the name of its process.
  ///
  /// Its bots are offline while it isn't, and what they had is queued again.
  /// - Parameter why: a sentence about what has ended it.
  public func setWorker(_ name: String, isUp: Bool, why: String = "Its worker has ended.") {
    let bots = state.withLock { state in
      state.workersUp[name] = isUp
      return state.local.values.filter { $0.worker == name }.map(\.id)
    }
    for bot in bots { appear(bot, isThere: isUp, why: why) }
  }

  private func appear(_ bot: String, isThere: Bool, why: String) {
    let moment = now()
    let actions = state.withLock { state in
      let event: BotStateMachine.Event = isThere ? .heartbeat : .heartbeatMissed
      let actions = state.roster.apply(event, to: bot, at: moment) ?? []
      if isThere, !actions.isEmpty { state.records[bot]?.since = moment }
      return actions
    }
    // In a task of its own: the reporter of the process's end must not wait for the disk.
    if actions.contains(.requeueTasks) { Task { await release(bot, note: why) } }
    perform(actions.filter { $0 != .requeueTasks }, of: bot)
  }

  /// Takes in the bots of the plan and of pools, and lets those go that aren't among them any more.
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
      Task { await release(bot.id, note: "The settings don't have the bot any more.") }
      publishEvent("bot_unregistered", ["bot": .object(bot.json)], about: bot.id)
    }
    if !change.gone.isEmpty { Task { await endGone() } }
  }

  /// Ends the tokens of bots that the settings don't have any more. A change that can't be
  /// stored now is tried again now and then.
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

  /// Refuses a change of a bot that the settings define.
  func checkIsNotLocal(_ id: String) throws(TaskError) {
    guard state.withLock({ $0.local[id] != nil }) else { return }
    throw TaskError(
      .conflict,
      "The bot \(id) is defined in the settings (bots.local). Change it there, and reload them.")
  }

  /// A bot hasn't a task any more: what was done for it ends, too.
  func removeAssignment(_ key: DispatcherState.Key, at moment: Int64) -> (
    held: DispatcherState.Held, actions: [BotAction]
  )? {
    let (found, ended) = state.withLock { state in
      (state.removeAssignment(key, at: moment), [state.works[key], state.deliveries[key]])
    }
    for task in ended { task?.cancel() }
    return found
  }

  // MARK: Pools

  /// Has these bots, and no others, as instances of a pool from now on.
  func pool(_ name: String, has bots: [LocalBot]) {
    let isChange = state.withLock { state in
      defer { state.pooled[name] = bots.isEmpty ? nil : bots }
      // Also with the same ids: a changed plan gives them other definitions.
      return Set((state.pooled[name] ?? []).map(\.id)) != Set(bots.map(\.id)) || !bots.isEmpty
    }
    guard isChange else { return }
    adopt()
    routeAndAssign()
  }

  /// How many tasks a bot has.
  func load(of bot: String) -> Int { state.withLock { $0.roster[bot]?.load.total ?? 0 } }

  /// A bot gets nothing new, or may have new tasks again.
  func drain(_ bot: String, _ isDraining: Bool) {
    let moment = now()
    let actions = state.withLock { state in
      var actions =
        state.roster.apply(.said(isDraining ? .draining : .online), to: bot, at: moment) ?? []
      // A status that was said counts the bot as there, though its process may be down.
      if let local = state.local[bot], !state.isThere(local) {
        actions += state.roster.apply(.heartbeatMissed, to: bot, at: moment) ?? []
      }
      return actions
    }
    perform(actions.filter { $0 != .requeueTasks }, of: bot)
  }

  // MARK: Work

  /// Does a task that was given to a bot of the agent's own; others are left alone.
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

  private func attempt(_ row: AssignmentRow, _ bot: LocalBot) async {
    let lease = TaskLease(task: row.task, attempt: row.attempt, owner: row.bot)
    do {
      let accepted = try await retryUntilStored(lease) {
        try await tasks.accept(lease, silence: nil, by: row.bot)
      }
      guard let task = accepted else { return }
      do {
        let outcome = try await tasks.attempt(task, by: bot.executor)
        // The end of the host has interrupted it: `stopLocal` requeues the task.
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

  private func lost(_ lease: TaskLease, bot: LocalBot, reason: String) async {
    // Offline first, or it would get the same task at once.
    appear(bot.id, isThere: false, why: reason)
    await requeue(lease, reason)
    // In a task of its own: this one has ended with the lease.
    Task { [pause] in
      try? await pause(.milliseconds(Self.restAfterLoss))
      let isThere = state.withLock { state in state.local[bot.id].map(state.isThere) ?? false }
      if isThere { appear(bot.id, isThere: true, why: "") }
    }
  }

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

  /// Ends what bots of the agent's own do; it goes on at the next start.
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
    // After the works have ended, or their outcomes would find their leases gone.
    await tasks.release(
      running.bots, in: store, note: "The host ended; the task continues at the next start.")
  }

  /// Waits for the end of work, but not long: an action that ignores cancellation must not keep the
  /// host.
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
    // In a task of its own: this one is cancelled, and its stream would end at once.
    await Task { for await _ in ends {} }.value
    timer.cancel()
  }
}
