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
    let work = state.withLock { $0.takeScan() }
    do {
      try await reportFresh()
      // Without a bot nothing can be assigned. The waiting tasks are still reported.
      if work.hasNoBots {
        if work.looksAtAll || !work.affected.isEmpty {
          try await reportAll(of: work.looksAtAll ? nil : work.affected)
        }
        return
      }
      try await scan(work)
    } catch {
      // It isn't known how far the scan came.
      state.withLock { $0.looksAtAll = true }
      throw error
    }
  }

  /// Scans the tasks that bots with a free slot may take, with those that are affected by changes
  /// of bots, or all waiting tasks.
  private func scan(_ work: Scan) async throws {
    // During a scan, free slots only become fewer. A bot that gets a free slot wakes the loop.
    var needsWithoutBot: Set<Need> = []
    var place = work.start
    var seen = 0
    repeat {
      var eligible = freeBots
      eligible.formUnion(work.affected)
      let page = try await tasks.waitingForBots(
        limit: plan.maxAtOnce, after: place, freeBots: work.looksAtAll ? nil : eligible)
      try await assign(page.rows, &needsWithoutBot)
      seen += page.rows.count
      place = page.next
    } while place != nil && seen < Self.longestScan && hasFreeSlot
    let isCut = place != nil && hasFreeSlot
    state.withLock { state in
      state.scanned = isCut ? place.map { ScanCut(place: $0, affected: work.affected) } : nil
      guard place != nil else { return }
      if work.looksAtAll {
        if isCut { state.looksAtAll = true } else { state.looksAtAllWithFreeBots = true }
      }
      if !isCut { state.affectedWithFreeBots.formUnion(work.affected) }
    }
    // The next scan then examines the tasks before the starting place too.
    if isCut || work.start != nil { wakeTimer.ring() }
  }

  /// Reports newly queued tasks that no bot can take. Those that bots with a free slot may take are
  /// left to the scan.
  private func reportFresh() async throws {
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
  private func assign(_ rows: [TaskRow], _ needsWithoutBot: inout Set<Need>) async throws {
    var pending: [PendingAssignment] = []
    for waiting in try await prepared(rows) {
      let need = Need(waiting.task)
      if needsWithoutBot.contains(need) {
        // An equal task has found no free bot. Only the report depends on the task itself.
        reportUnavailable(waiting.row, waiting.task)
      } else if let assignment = await reserve(for: waiting) {
        pending.append(assignment)
      } else if !moduleDecides {
        needsWithoutBot.insert(need)
      }
    }
    // They are stored at the same time, because the store groups concurrent writes into one commit.
    // Each child task runs here, in the order of the queue, until its write is submitted. Otherwise, a
    // later one could take the last place of a limit or a rate from an earlier one.
    await withTaskGroup(of: Void.self) { group in
      for assignment in pending {
        group.addImmediateTask { await self.carryOut(assignment) }
      }
    }
  }

  /// Whether a module decides. It may use further properties of a task.
  private var moduleDecides: Bool {
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

/// The place at which a scan was cut, and what it examined beside the tasks for free bots.
struct ScanCut {
  let place: QueuePosition
  let affected: FreeBots
}

/// What a scan must do.
struct Scan {
  /// The place at which the last scan was cut. Nil begins a scan.
  let start: QueuePosition?
  let looksAtAll: Bool
  /// The tasks to examine beside those that bots with a free slot may take.
  let affected: FreeBots
  /// Whether no bot is registered.
  let hasNoBots: Bool
}

extension DispatcherState {
  /// Returns what the next scan must do, and begins to collect for the one after it.
  mutating func takeScan() -> Scan {
    if roster.hasFreeSlot {
      looksAtAll = looksAtAll || looksAtAllWithFreeBots
      affected.formUnion(affectedWithFreeBots)
      (looksAtAllWithFreeBots, affectedWithFreeBots) = (false, FreeBots())
    }
    let cut = roster.count == 0 ? nil : scanned
    let scan = Scan(
      start: cut?.place, looksAtAll: looksAtAll, affected: cut?.affected ?? affected,
      hasNoBots: roster.count == 0)
    // A scan that continues has passed tasks that may be affected. The one after it begins anew.
    if cut == nil { affected = FreeBots() }
    (scanned, looksAtAll) = (nil, false)
    return scan
  }

  /// Makes the next scan examine the waiting tasks for which the change of a bot decides whether any
  /// bot can take them. Most changes decide about none.
  mutating func markAffected(_ former: Bot?, _ next: Bot?) {
    guard let id = (next ?? former)?.id else { return }
    let (before, after) = (former?.coverage ?? [], next?.coverage ?? [])
    let isSame = before == after && former?.definition.type == next?.definition.type
    if former != nil, next != nil, isSame { return }
    var types = roster.uncovered(before.subtracting(after))
    // Only a task that no bot could take may have become assignable.
    if !unassignable.isEmpty { types.formUnion(after.subtracting(before).map(\.taskType)) }
    affected.formUnion(FreeBots(types: types, bots: [id]))
  }
}
