internal import AgentAssignment
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Goes through what waits, from the first to the last, as long as some bot has a free slot: what
/// nobody can take doesn't hold back what is behind it.
extension TaskDispatcher {
  /// After this many tasks the scan pauses for other work, and then continues where it was.
  private static let longestScan = 20_000

  /// What a task asks for, as far as it decides who may have it.
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

  /// At most this many newly queued tasks are kept until they are looked at; with more of them, or
  /// with more than ``TaskRow/pageBytes``, the dispatcher looks at all waiting tasks.
  static let maxFresh = 1_000

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
      // Without any bot nothing can be assigned, but the waiting tasks are reported.
      if work.isEmpty {
        if work.looksAtAll { try await alarmAll() }
        return
      }
      try await scan(from: work.start, looksAtAll: work.looksAtAll)
    } catch {
      // Nobody knows what of it was looked at.
      state.withLock { $0.looksAtAll = true }
      throw error
    }
  }

  /// Goes through what bots with a free slot may take, or through all that waits.
  private func scan(from start: QueuePosition?, looksAtAll: Bool) async throws {
    // Free slots only get fewer while this lasts; a bot that gets one rings.
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
    // The scan then looks at the tasks before its starting place, too.
    if isCut || start != nil { wakeTimer.ring() }
  }

  /// Reports newly queued tasks that nobody can take. Tasks that bots with a free slot may take are
  /// looked at anyway.
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

  /// Notes a task that was queued for bots; on the thread that stores.
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

  private func assign(_ rows: [TaskRow], _ inVain: inout Set<Need>) async throws {
    var orders: [Order] = []
    for waiting in try await prepared(rows) {
      let need = Need(waiting.task)
      if inVain.contains(need) {
        reportUnavailable(waiting.row, waiting.task)
      } else if let order = await order(waiting) {
        orders.append(order)
      } else if !isAsked {
        inVain.insert(need)
      }
    }
    // Together: the store groups writes that wait at the same time into one commit. Each begins
    // here, in the order of the queue, until its write is submitted: otherwise a later task could
    // take the last place of a limit or a rate from an earlier one.
    await withTaskGroup(of: Void.self) { group in
      for order in orders { group.addImmediateTask { await self.carryOut(order) } }
    }
  }

  /// A module decides, which may look at more of a task.
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
