internal import AgentAssignment
internal import AgentEvents
internal import AgentStore
internal import Synchronization

/// Goes through what waits, from the first to the last, as long as some bot has room: what nobody can
/// take doesn't hold back what is behind it.
extension BotDesk {
  /// After so many tasks others have their turn, before it goes on from there.
  private static let longestScan = 20_000

  /// What a task asks for, as far as it decides who may have it.
  private struct Need: Hashable {
    let type: String
    let pinned: String?
    let botType: BotType?
    let capability: String?
    let excluded: Set<String>

    init(_ task: AssignmentTask) {
      (type, pinned, botType) = (task.type, task.pinned, task.botType)
      (capability, excluded) = (task.capability, task.excluded)
    }
  }

  func assignWaiting() async throws {
    let start = state.withLock { state in
      defer { state.scanned = nil }
      return state.scanned
    }
    guard state.withLock({ $0.roster.count > 0 }) else { return await alarmAll() }
    // Room only gets less while this lasts; who gets room rings.
    var inVain: Set<Need> = []
    var place = start
    var seen = 0
    repeat {
      let rows = try await tasks.waitingForBots(limit: plan.mostAtOnce, after: place)
      try await assign(rows, &inVain)
      seen += rows.count
      place = rows.count < plan.mostAtOnce ? nil : rows.last.map(\.place)
    } while place != nil && seen < Self.longestScan && hasRoom
    let isCut = place != nil && hasRoom
    state.withLock { $0.scanned = isCut ? place : nil }
    // What came before the place from which it went on is looked at, too.
    if isCut || start != nil { bell.ring() }
  }

  private func assign(_ rows: [TaskRow], _ inVain: inout Set<Need>) async throws {
    var orders: [Order] = []
    for waiting in try await prepared(rows) {
      let need = Need(waiting.task)
      if inVain.contains(need) {
        alarm(waiting.row, waiting.task)
      } else if let order = await order(waiting) {
        orders.append(order)
      } else if !isAsked {
        inVain.insert(need)
      }
    }
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

  private var hasRoom: Bool {
    state.withLock { $0.roster.hasRoom }
  }
}

extension TaskRow {
  /// Its place among those that are queued.
  var place: LanePosition { LanePosition(rank: rank, task: id) }
}
