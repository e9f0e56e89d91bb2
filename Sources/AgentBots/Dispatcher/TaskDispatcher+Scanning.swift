internal import AgentAssignment
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Scans the waiting tasks in their order while a bot has a free slot. A task that no bot can take
/// doesn't hold up the tasks behind it.
extension TaskDispatcher {
  /// The number of tasks after which a scan pauses for other work. The next scan continues there.
  private static let longestScan = 20_000

  /// The properties of a task that decide which bots may take it.
  private struct Need: Hashable {
    let type: String
    let pinned: String?
    let botType: BotType?
    let capability: String?
    let excluded: Set<String>

    init(_ task: AssignmentTask) {
      type = task.type
      pinned = task.pinned
      botType = task.botType
      (capability, excluded) = (task.capability, task.excluded)
    }
  }

  /// The maximum number of newly queued tasks that are kept for the next scan. If there are more,
  /// or more bytes than ``TaskRow/pageBytes``, the next scan examines all waiting tasks.
  static let maxFresh = 1_000

  /// Assigns waiting tasks, and reports those that no bot can take.
  /// - Throws: errors of the store. The next scan then examines all waiting tasks.
  func assignWaiting() async throws {
    let work = state.withLock { state in
      if state.looksAtAllWithFreeBots, state.roster.hasFreeSlot {
        (state.looksAtAll, state.looksAtAllWithFreeBots) = (true, false)
      }
      defer { (state.scanned, state.looksAtAll) = (nil, false) }
      return (
        start: state.scanned, looksAtAll: state.looksAtAll, isEmpty: state.roster.count == 0
      )
    }
    do {
      try await alarmFresh()
      // Without a bot nothing can be assigned. The waiting tasks are still reported.
      if work.isEmpty {
        if work.looksAtAll { try await alarmAll() }
        return
      }
      try await scan(from: work.start, looksAtAll: work.looksAtAll)
    } catch {
      // It isn't known how far the scan came.
      state.withLock { $0.looksAtAll = true }
      throw error
    }
  }

  /// Scans the tasks that bots with a free slot may take, or all waiting tasks.
  private func scan(from start: QueuePosition?, looksAtAll: Bool) async throws {
    // During a scan, free slots only become fewer. A bot that gets a free slot wakes the loop.
    var inVain: Set<Need> = []
    var place = start
    var seen = 0
    repeat {
      let freeBots = looksAtAll ? nil : freeBots
      let page = try await tasks.waitingForBots(
        limit: plan.maxAtOnce, after: place, freeBots: freeBots)
      try await assign(page.rows, &inVain)
      seen += page.rows.count
      place = page.next
    } while place != nil && seen < Self.longestScan && hasFreeSlot
    let isCut = place != nil && hasFreeSlot
    state.withLock { state in
      state.scanned = isCut ? place : nil
      if looksAtAll, place != nil {
        if isCut { state.looksAtAll = true } else { state.looksAtAllWithFreeBots = true }
      }
    }
    // The next scan then examines the tasks before the starting place too.
    if isCut || start != nil { wakeTimer.ring() }
  }

  /// Reports newly queued tasks that no bot can take. Those that bots with a free slot may take are
  /// left to the scan.
  private func alarmFresh() async throws {
    let fresh = state.withLock { state in
      defer { (state.fresh, state.freshBytes) = ([], 0) }
      let freeBots = state.roster.standing.freeBots
      return state.fresh.filter { row in
        switch QueueKey(name: row.queueKey).taker {
        case .type(let type): freeBots.types[type] == nil
        case .bot(let id): !freeBots.bots.contains(id)
        }
      }
    }
    for waiting in try await prepared(fresh) { reportUnavailable(waiting.row, waiting.task) }
  }

  /// Keeps a newly queued task for the next scan. Called on the writer's thread.
  func noteFresh(_ row: TaskRow) {
    state.withLock { state in
      guard state.fresh.count < Self.maxFresh, state.freshBytes < TaskRow.pageBytes else {
        state.looksAtAll = true
        return
      }
      state.fresh.append(row)
      state.freshBytes += row.bytes
    }
  }

  /// Decides about a page of tasks and stores the decisions.
  private func assign(_ rows: [TaskRow], _ inVain: inout Set<Need>) async throws {
    var orders: [Order] = []
    for waiting in try await prepared(rows) {
      let need = Need(waiting.task)
      if inVain.contains(need) {
        // An equal task has found no free bot. Only the report depends on the task itself.
        reportUnavailable(waiting.row, waiting.task)
      } else if let order = await order(waiting) {
        orders.append(order)
      } else if !isAsked {
        inVain.insert(need)
      }
    }
    // At the same time, because the store groups concurrent writes into one commit. Each task runs
    // here, in the order of the queue, until its write is submitted. Otherwise, a later task could
    // take the last place of a limit or a rate from an earlier one.
    await withTaskGroup(of: Void.self) { group in
      for order in orders { group.addImmediateTask { await self.carryOut(order) } }
    }
  }

  /// Whether a module decides. It may use further properties of a task.
  private var isAsked: Bool {
    state.withLock { state in
      if case .custom = state.strategy { return true }
      return false
    }
  }

  private var freeBots: FreeBots { state.withLock { $0.roster.standing.freeBots } }

  private var hasFreeSlot: Bool {
    state.withLock { $0.roster.hasFreeSlot }
  }
}
