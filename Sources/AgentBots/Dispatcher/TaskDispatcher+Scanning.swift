internal import AgentAssignment
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Goes through what waits, from the first to the last, as long as some bot has room: what nobody
/// can take doesn't hold back what is behind it.
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

  /// At most this many newly queued tasks are kept until they are looked at; with more of them,
  /// the dispatcher looks at all waiting tasks.
  static let maxFresh = 1_000

  func assignWaiting() async throws {
    let work = state.withLock { state in
      if state.looksAtAllWithRoom, state.roster.hasRoom {
        (state.looksAtAll, state.looksAtAllWithRoom) = (true, false)
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
        if work.looksAtAll { await alarmAll() }
        return
      }
      try await scan(from: work.start, looksAtAll: work.looksAtAll)
    } catch {
      // Nobody knows what of it was looked at.
      state.withLock { $0.looksAtAll = true }
      throw error
    }
  }

  /// Goes through what bots with room may take, or through all that waits.
  private func scan(from start: QueuePosition?, looksAtAll: Bool) async throws {
    // Room only gets less while this lasts; who gets room rings.
    var inVain: Set<Need> = []
    var place = start
    var seen = 0
    repeat {
      let room = looksAtAll ? nil : room
      let rows = try await tasks.waitingForBots(
        limit: plan.maxAtOnce, after: place, room: room)
      try await assign(rows, &inVain)
      seen += rows.count
      place = rows.count < plan.maxAtOnce ? nil : rows.last.map(\.place)
    } while place != nil && seen < Self.longestScan && hasRoom
    let isCut = place != nil && hasRoom
    state.withLock { state in
      state.scanned = isCut ? place : nil
      if looksAtAll, place != nil {
        if isCut { state.looksAtAll = true } else { state.looksAtAllWithRoom = true }
      }
    }
    // The scan then looks at the tasks before its starting place, too.
    if isCut || start != nil { wakeTimer.ring() }
  }

  /// Reports newly queued tasks that nobody can take. Tasks that bots with room may take are
  /// looked at anyway.
  private func alarmFresh() async throws {
    let fresh = state.withLock { state in
      defer { state.fresh = [] }
      let room = state.roster.standing.room
      return state.fresh.filter { row in
        switch QueueKey(name: row.queueKey).taker {
        case .type(let type): room.types[type] == nil
        case .bot(let id): !room.bots.contains(id)
        }
      }
    }
    for waiting in try await prepared(fresh) { reportUnavailable(waiting.row, waiting.task) }
  }

  /// Notes a task that was queued for bots; on the thread that stores.
  func noteFresh(_ row: TaskRow) {
    state.withLock { state in
      guard state.fresh.count < Self.maxFresh else {
        state.looksAtAll = true
        return
      }
      state.fresh.append(row)
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
    // Together: the store groups writes that wait at the same time into one commit.
    await withTaskGroup(of: Void.self) { group in
      for order in orders { group.addTask { await self.carryOut(order) } }
    }
  }

  /// A module decides, which may look at more of a task.
  private var isAsked: Bool {
    state.withLock { state in
      if case .custom = state.strategy { return true }
      return false
    }
  }

  private var room: BotRoom { state.withLock { $0.roster.standing.room } }

  private var hasRoom: Bool {
    state.withLock { $0.roster.hasRoom }
  }
}
