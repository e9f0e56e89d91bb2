internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// Reacts to changes of tasks, and to heartbeats that stop.
extension TaskDispatcher {
  /// Handles durable changes of tasks. Called on the writer's thread, so that it must not wait.
  func tasksDidChange(_ changes: [TaskChange]) {
    let moment = now()
    var rings = false
    for change in changes {
      let task = change.task
      if task.cancelling != nil, task.state == .running {
        let key = DispatcherState.Key(task: task.id, attempt: task.attempt)
        // Outside of the lock: cancelling runs handlers, which may take it.
        state.withLock { $0.works[key] }?.cancel()
      }
      if change.former == .assigned, task.state == .running {
        // The bot has answered: no further request to its webhook is necessary.
        let key = DispatcherState.Key(task: task.id, attempt: task.attempt)
        state.withLock { $0.deliveries[key] }?.cancel()
      }
      if let key = Self.endedLease(change) {
        if let (held, actions) = removeAssignment(key, at: moment) {
          announce(actions, of: held.bot)
          ended(held, key: key, task: task)
          rings = true
        }
      }
      // A limit or a rate has capacity again: another task of the queue may begin.
      if change.former?.isHeld == true, !task.state.isHeld, QueueKey(name: task.queueKey).isLimited
      {
        rings = true
      }
      if task.state == .queued, !change.isRemoved, tasks.isForBots(task.queueKey) {
        noteFresh(task)
        rings = true
      }
      // A task that has ended needs no bot.
      if task.state.isEnded || change.isRemoved {
        state.withLock { _ = $0.unassignable.remove(task.id) }
      } else if let moment = task.escalateAt {
        wakeTimer.ring(at: moment, now: now())
      }
    }
    if rings { wakeTimer.ring() }
  }

  /// Frees the slots of stored assignments whose leases have ended by a write with an unknown
  /// result. Called on the writer's thread.
  func freeSlots(without leases: [StoredLease]) {
    let stored = Set(leases.map { DispatcherState.Key(task: $0.task, attempt: $0.attempt) })
    // A slot whose assignment isn't stored yet is only reserved.
    let ended = state.withLock { state in
      state.held.filter { $0.value.isStored && !stored.contains($0.key) }.map(\.key)
    }
    for key in ended { free(key) }
    if !ended.isEmpty { wakeTimer.ring() }
  }

  /// Returns the lease that the change has ended, or nil.
  private static func endedLease(_ change: TaskChange) -> DispatcherState.Key? {
    guard let former = change.former, former.isHeld else { return nil }
    let task = change.task
    if change.isRemoved || !task.state.isHeld {
      return DispatcherState.Key(task: task.id, attempt: task.attempt)
    }
    // The task was moved to another bot by hand: the former attempt's lease has ended.
    guard former == .assigned, task.state == .assigned else { return nil }
    return DispatcherState.Key(task: task.id, attempt: task.attempt - 1)
  }

  /// Counts the end of an attempt, and publishes it.
  private func ended(_ held: DispatcherState.Held, key: DispatcherState.Key, task: TaskRow) {
    let isWell = task.state == .succeeded
    let isOver = task.state.isEnded
    state.withLock { state in
      if isOver {
        state.statistics[held.strategy, default: .init()].ended(well: isWell)
      } else {
        state.statistics[held.strategy, default: .init()].wasReassigned()
      }
    }
    // In a task of its own: reading the assignment would hold up the writer's thread.
    Task { await publishEnd(held.bot, key: key, task: task) }
  }

  /// Publishes the end of an assignment. Without the stored assignment, nothing is published.
  private func publishEnd(_ id: String, key: DispatcherState.Key, task: TaskRow) async {
    let row = try? await readyStore().read {
      try $0.assignments.assignment(task: key.task, attempt: key.attempt)
    }
    guard let row = row ?? nil else { return }
    let report = try? bot(id)
    let isDone = row.state == .completed || row.state == .failed
    publishEvent(
      isDone ? "assignment_completed" : "assignment_ended",
      [
        "task": .object(TaskReport(task).event), "bot": report.map(JSONValue.object) ?? .null,
        "assignment": .object(AssignmentReport(row).event(of: task)),
        "task_id": .string("\(task.id)"),
        "bot_id": .string(id), "status": .string(row.state.rawValue),
      ], about: "\(task.id)")
  }

  /// Finds the bots whose heartbeats have stopped. Stores and reports their loss, and requeues
  /// their tasks. Tries again what couldn't be stored before, and reads again what a failed write
  /// may have stored. Wakes the loop when the next bot can be silent.
  func lookForSilent() async {
    await reconcile()
    // Losses that couldn't be stored before.
    for loss in state.withLock({ Array($0.losses.values) }) { await keep(loss) }
    await retryDepartures()
    await retryReleases()
    let moment = now()
    var unheard: [String] = []
    let (lost, next) = state.withLock { state -> ([(String, [BotAction])], Int64?) in
      state.applyJump(of: clock)
      // Heartbeats only delay this moment. Before it, no bot needs a check.
      guard moment >= state.silentFrom else { return ([], state.silentFrom) }
      let timeout = state.plan.heartbeatTimeout
      unheard = state.takeUnheard(at: moment)
      let lost = state.roster.silent(at: moment, after: timeout)
        .filter { state.records[$0]?.beats == true }
        .map { ($0, state.roster.apply(.heartbeatMissed, to: $0, at: moment) ?? []) }
      let next = state.roster.bots.filter { state.records[$0.id]?.beats == true }
        .filter {
          ($0.status != .offline && $0.status != .error) || state.unheard.contains($0.id)
        }
        .map { $0.lastHeartbeat.adding(timeout).adding(1) }.min()
      state.silentFrom = next ?? .max
      return (lost, next)
    }
    for id in unheard { await release(id, note: "The bot's heartbeats stopped.") }
    for (id, actions) in lost {
      log(.warning, "The bot \(id) is offline: its heartbeats stopped.")
      // Before the write: a client that reads "offline" could otherwise bring the bot online, and
      // its event would precede this one.
      perform(actions.filter { $0 != .requeueTasks }, of: id)
      await keepLost(id, at: moment)
      if actions.contains(.requeueTasks) {
        await release(id, note: "The bot's heartbeats stopped.")
      }
    }
    if let next, next < .max { wakeTimer.ring(at: next, now: moment) }
  }

  /// Stores that a bot is offline, and an event in the same transaction.
  private func keepLost(_ id: String, at moment: Int64) async {
    guard let report = try? bot(id) else { return }
    let event = Self.trouble(
      "bot_offline", ["bot": .object(report), "reason": "Its heartbeats stopped."], about: id,
      title: "The bot \"\(report["name"]?.string ?? id)\" is offline")
    await keep(BotLoss(bot: id, event: event, moment: moment))
  }

  /// Stores a loss. After a failure, the loop tries again each second: the bot is offline already,
  /// so that nothing else would report it.
  private func keep(_ loss: BotLoss) async {
    do {
      try await store(loss)
      state.withLock { state in
        // A later loss of the same bot may have replaced this one.
        if state.losses[loss.bot]?.moment == loss.moment { state.losses[loss.bot] = nil }
      }
    } catch {
      // Logged once: the log may be on the same full disk.
      if !loss.isTriedAgain {
        log(
          .warning,
          "It can't be stored that the bot \(loss.bot) is offline; the host retries. \(error)")
      }
      var again = loss
      again.isTriedAgain = true
      state.withLock { [again] in $0.losses[again.bot] = again }
      wakeTimer.ring(at: now().adding(1_000), now: now())
    }
  }

  /// Stores the bot's row and the event, unless an earlier attempt has stored them.
  private func store(_ loss: BotLoss) async throws {
    let bot = state.withLock { $0.roster[loss.bot] }
    // The bot was unregistered meanwhile, and that has its own event.
    guard let bot else { return }
    // The stored moment identifies this loss. A repeated attempt finds it if the former one was
    // stored.
    let updated = bot.lifecycle.isLost ? loss.moment : now()
    try await readyStore().write { transaction in
      guard var row = try transaction.bots.bot(loss.bot) else { return }
      var lifecycle = BotStateMachine(stored: row.lifecycle)
      if loss.isTriedAgain, lifecycle.isLost, row.updated == loss.moment { return }
      // Applied to the stored row: a change of the bot may be stored and not be in memory yet.
      _ = lifecycle.apply(bot.lifecycle.isLost ? .heartbeatMissed : .heartbeat)
      (row.lifecycle, row.heartbeat) = (lifecycle.stored, bot.lastHeartbeat)
      (row.beats, row.updated) = (true, updated)
      try transaction.bots.put(row)
      try self.record(loss.event, in: transaction)
    }
  }
}
