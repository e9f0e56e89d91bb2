internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// What follows from changes of tasks.
extension TaskDispatcher {
  /// Changes that are durable; on the thread that stores.
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
        // The waiting client has got the change.
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
      // What shares a limit with it may begin.
      if change.former?.isHeld == true, !task.state.isHeld, QueueKey(name: task.queueKey).isLimited
      {
        rings = true
      }
      if task.state == .queued, !change.isRemoved, tasks.isForBots(task.queueKey) {
        noteFresh(task)
        rings = true
      }
      if task.state.isEnded || change.isRemoved {
        state.withLock { _ = $0.alarmed.remove(task.id) }
      } else if let moment = task.escalateAt {
        wakeTimer.ring(at: moment, now: now())
      }
    }
    if rings { wakeTimer.ring() }
  }

  /// The lease that has ended with a change, if one has.
  private static func endedLease(_ change: TaskChange) -> DispatcherState.Key? {
    guard let former = change.former, former.isHeld else { return nil }
    let task = change.task
    if change.isRemoved || !task.state.isHeld {
      return DispatcherState.Key(task: task.id, attempt: task.attempt)
    }
    // Taken from one by hand and given to another at once.
    guard former == .assigned, task.state == .assigned else { return nil }
    return DispatcherState.Key(task: task.id, attempt: task.attempt - 1)
  }

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
    // The rest is read, which isn't for this thread.
    Task { await publishEnd(held.bot, key: key, task: task) }
  }

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

  /// Bots whose heartbeats have stopped.
  func lookForSilent() async {
    for loss in state.withLock({ Array($0.losses.values) }) { await keep(loss) }
    let moment = now()
    let (lost, next) = state.withLock { state -> ([(String, [BotAction])], Int64?) in
      state.applyJump(of: clock)
      // A heartbeat moves the end of the wait to later, never to earlier.
      guard moment >= state.silentFrom else { return ([], state.silentFrom) }
      let timeout = state.plan.heartbeatTimeout
      let lost = state.roster.silent(at: moment, after: timeout)
        .filter { state.records[$0]?.beats == true }
        .map { ($0, state.roster.apply(.heartbeatMissed, to: $0, at: moment) ?? []) }
      let next = state.roster.bots.filter { state.records[$0.id]?.beats == true }
        .filter { $0.status != .offline && $0.status != .error }
        .map { $0.lastHeartbeat.adding(timeout).adding(1) }.min()
      state.silentFrom = next ?? .max
      return (lost, next)
    }
    for (id, actions) in lost {
      log(.warning, "The bot \(id) is offline: its heartbeats stopped.")
      // First, or a client that reads "offline" might bring it online before that is published.
      perform(actions.filter { $0 != .requeueTasks }, of: id)
      await keepLost(id, at: moment)
      if actions.contains(.requeueTasks) {
        await release(id, note: "The bot's heartbeats stopped.")
      }
    }
    if let next, next < .max { wakeTimer.ring(at: next, now: moment) }
  }

  /// Stores that a bot is offline, and an event in the same commit.
  private func keepLost(_ id: String, at moment: Int64) async {
    guard let report = try? bot(id) else { return }
    let event = Self.trouble(
      "bot_offline", ["bot": .object(report), "reason": "Its heartbeats stopped."], about: id,
      title: "The bot \"\(report["name"]?.string ?? id)\" is offline")
    await keep(BotLoss(bot: id, event: event, moment: moment))
  }

  /// Stores a loss. One that can't be stored now is tried again each second: nobody would report it
  /// otherwise, since the bot is offline already.
  private func keep(_ loss: BotLoss) async {
    do {
      try await store(loss)
      state.withLock { state in
        // A later loss of the bot may have come in the meantime.
        if state.losses[loss.bot]?.moment == loss.moment { state.losses[loss.bot] = nil }
      }
    } catch {
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

  private func store(_ loss: BotLoss) async throws {
    let row = state.withLock { state -> BotRow? in
      guard let record = state.records[loss.bot], let bot = state.roster[loss.bot] else {
        return nil
      }
      // The moment tells whether a write that seemed to fail was stored after all.
      return bot.row(record, now: bot.lifecycle.isLost ? loss.moment : now())
    }
    // It was unregistered meanwhile, which is an event of its own.
    guard let row else { return }
    try await readyStore().write { transaction in
      guard let stored = try transaction.bots.bot(row.id) else { return }
      let isLost = BotStateMachine(stored: stored.lifecycle).isLost
      if loss.isTriedAgain, isLost, stored.updated == loss.moment { return }
      try transaction.bots.put(row)
      try self.record(loss.event, in: transaction)
    }
  }
}
