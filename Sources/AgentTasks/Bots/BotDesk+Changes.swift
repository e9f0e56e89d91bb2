internal import AgentAssignment
internal import AgentEvents
internal import AgentJSON
internal import AgentStore
internal import Synchronization

/// What follows from changes of tasks.
extension BotDesk {
  /// Changes that are durable; on the thread that stores.
  func saw(_ changes: [TaskChange]) {
    let moment = now()
    var rings = false
    for change in changes {
      let task = change.task
      if task.cancelling != nil, task.state == .running {
        let key = DeskState.Key(task: task.id, attempt: task.attempt)
        state.withLock { $0.works[key] }?.cancel()
      }
      if change.former == .assigned, task.state == .running {
        // It has heard of it.
        let key = DeskState.Key(task: task.id, attempt: task.attempt)
        state.withLock { $0.deliveries[key] }?.cancel()
      }
      if let key = Self.endedLease(change) {
        if let (held, actions) = letGo(key, at: moment) {
          announce(actions, of: held.bot)
          ended(held, key, task)
          rings = true
        }
      }
      // What shares a limit with it may begin.
      if change.former?.isHeld == true, !task.state.isHeld, TaskLane(name: task.lane).isLimited {
        rings = true
      }
      if task.state == .queued { rings = rings || tasks.isForBots(task.lane) }
      if task.state.isEnded || change.isRemoved {
        state.withLock { state in
          state.watched[task.id] = nil
          state.alarmed.remove(task.id)
        }
      }
    }
    if rings { bell.ring() }
  }

  /// The lease that has ended with a change, if one has.
  private static func endedLease(_ change: TaskChange) -> DeskState.Key? {
    guard let former = change.former, former.isHeld else { return nil }
    let task = change.task
    if change.isRemoved || !task.state.isHeld {
      return DeskState.Key(task: task.id, attempt: task.attempt)
    }
    // Taken from one by hand and given to another at once.
    guard former == .assigned, task.state == .assigned else { return nil }
    return DeskState.Key(task: task.id, attempt: task.attempt - 1)
  }

  private func ended(_ held: DeskState.Held, _ key: DeskState.Key, _ task: TaskRow) {
    let isWell = task.state == .succeeded
    let isOver = task.state.isEnded
    state.withLock { state in
      if isOver {
        state.figures[held.strategy, default: .init()].ended(well: isWell)
      } else {
        state.figures[held.strategy, default: .init()].wasReassigned()
      }
    }
    // The rest is read, which isn't for this thread.
    Task { await tellEnded(held.bot, key, task) }
  }

  private func tellEnded(_ id: String, _ key: DeskState.Key, _ task: TaskRow) async {
    let row = try? await readyStore().read {
      try $0.assignments.assignment(task: key.task, attempt: key.attempt)
    }
    guard let row = row ?? nil else { return }
    let report = try? bot(id)
    let isDone = row.state == .completed || row.state == .failed
    tell(
      isDone ? "assignment_completed" : "assignment_ended",
      [
        "task": .object(TaskReport(task).json), "bot": report.map(JSONValue.object) ?? .null,
        "assignment": .object(AssignmentReport(row).json), "task_id": .string("\(task.id)"),
        "bot_id": .string(id), "status": .string(row.state.rawValue),
      ], about: "\(task.id)")
  }

  /// Bots whose heartbeats have stopped.
  func lookForSilent() async {
    let moment = now()
    let (lost, next) = state.withLock { state -> ([(String, [BotAction])], Int64?) in
      let timeout = state.plan.heartbeatTimeout
      let lost = state.roster.silent(at: moment, after: timeout)
        .filter { state.records[$0]?.beats == true }
        .map { ($0, state.roster.apply(.heartbeatMissed, to: $0, at: moment) ?? []) }
      let next = state.roster.bots.filter { state.records[$0.id]?.beats == true }
        .filter { $0.status != .offline && $0.status != .error }
        .map { $0.lastHeartbeat.adding(timeout).adding(1) }.min()
      return (lost, next)
    }
    for (id, actions) in lost {
      log(.warning, "The bot \(id) is offline: its heartbeats stopped.")
      do { try await keep(id) } catch { log(.warning, "\(error)") }
      if actions.contains(.requeueTasks) {
        await release(id, note: "The bot's heartbeats stopped.")
      }
      follow(actions.filter { $0 != .requeueTasks }, of: id)
      guard let report = try? bot(id) else { continue }
      tell(
        "bot_offline", ["bot": .object(report), "reason": "Its heartbeats stopped."], about: id,
        isTrouble: "The bot \"\(report["name"]?.string ?? id)\" is offline")
    }
    if let next { bell.ring(at: next, now: moment) }
  }
}
