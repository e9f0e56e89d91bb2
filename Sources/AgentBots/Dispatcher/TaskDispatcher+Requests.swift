public import AgentAssignment
public import AgentJSON
public import AgentStore
internal import AgentSystem
public import AgentTasks
internal import Synchronization

/// Answers requests about assignments, strategies and statistics.
extension TaskDispatcher {
  /// Assigns a task by hand, or lets the strategy choose the bot.
  /// - Parameters:
  ///   - id: the id of the task.
  ///   - bot: the id of the bot. Nil means the best one with a free slot.
  /// - Returns: the stored assignment.
  /// - Throws: `conflict` with every reason against it; `missing`, `forbidden` or `notReady`.
  public func assign(
    _ id: Int64, to bot: String?, by authority: TaskAuthority
  ) async throws -> AssignmentRow {
    try authority.checkIsForAllBots()
    for _ in 0..<Self.maxTries {
      if let stored = try await tryToAssign(id, to: bot, by: authority) { return stored }
      // The host is storing its own decision about this task. An empty write ends after that one.
      try await readyStore().write { _ in }
    }
    throw TaskError(.conflict, "Task \(id) is being given to a bot; try again.")
  }

  /// A decision of the host is stored within one or two writes.
  private static let maxTries = 10

  /// Tries to assign a task once.
  /// - Returns: nil while another decision about the task isn't stored yet.
  private func tryToAssign(
    _ id: Int64, to bot: String?, by authority: TaskAuthority
  ) async throws -> AssignmentRow? {
    let row = try await tasks.task(id, for: authority)
    try authority.check(row, tasks.plan)
    guard let waiting = try await prepared([row]).first else { throw TaskError.unknown(id) }
    var task = waiting.task
    if let bot {
      if definition(of: bot) == nil { throw unknown(bot) }
      // By hand, a bot may get a task that it has rejected or let expire.
      (task.pinned, task.excluded) = (bot, [])
    }
    let decision = await decide(task, isMeant: bot != nil)
    guard let choice = decision.choice else { throw refusal(task, decision: decision, bot: bot) }
    // A choice by hand must not count in the statistics of the strategy.
    let name = bot == nil ? decision.strategy.name : "manual"
    switch reserve(choice, for: row, strategy: name) {
    case .made: break
    case .taskIsTaken: return nil
    case .botIsFull: throw TaskError(.conflict, "\(choice.bot) is at capacity now; try again.")
    }
    let waited = max(0, now().subtracting(row.updated))
    state.withLock { $0.statistics[name, default: .init()].decided(decision, waited: waited) }
    let pending = PendingAssignment(
      row: row, choice: choice, decision: decision.json, strategy: name,
      note: bot == nil ? decision.reason : "assigned by hand")
    do {
      if let stored = try await store(pending, isByHand: true, by: authority.actor) {
        return stored
      }
    } catch {
      // Otherwise, the bot's slot would stay reserved until the next start.
      failed(pending, error)
      throw error
    }
    free(pending.key)
    throw TaskError(.conflict, "Task \(id) has changed meanwhile; try again.")
  }

  /// Returns the error that explains why a task can't be assigned.
  private func refusal(
    _ task: AssignmentTask, decision: Decision, bot: String?
  ) -> TaskError {
    guard let bot else { return TaskError(.conflict, decision.reason) }
    let reasons = state.withLock { $0.roster.refusals(task, bot: bot) ?? [] }
    let words = reasons.map(\.description).joined(separator: "; ")
    return TaskError(.conflict, "\(bot) can't take task \(task.id): \(words).")
  }

  /// Explains for every bot why it would get a task or not.
  /// - Throws: `missing`, `forbidden` or `notReady`.
  public func explain(_ id: Int64, for authority: TaskAuthority) async throws -> JSONObject {
    let row = try await tasks.task(id, for: authority)
    guard let waiting = try await prepared([row]).first else { throw TaskError.unknown(id) }
    let decision = await decide(waiting.task)
    return state.withLock { state in
      var object = state.roster.explain(waiting.task, decision: decision).json
      let feasibility = state.roster.canEver(waiting.task)
      object["possible"] = .bool(feasibility.isPossible)
      if !feasibility.isPossible { object["reason"] = .string(feasibility.description) }
      return object
    }
  }

  /// The name of the strategy that assigns tasks now.
  public var strategy: String { state.withLock { $0.strategy.name } }

  /// The names of the built-in strategies and those of modules.
  public var strategies: [String] {
    AssignmentStrategy.builtIn.map(\.name) + plan.strategies.keys.sorted()
  }

  /// Chooses a strategy. It stays chosen after a restart.
  /// - Throws: `invalid` for an unknown name; `forbidden` or `notReady`.
  public func choose(strategy name: String, by authority: TaskAuthority) async throws {
    try authority.checkMayChooseStrategy()
    let strategy: AssignmentStrategy
    do throws(AssignmentProblem) {
      strategy = try AssignmentStrategy(named: name, custom: plan.strategies.keys.sorted())
    } catch {
      throw TaskError(.invalid, "assignment_strategy: \(error.message)")
    }
    // Stored first: a restart must not return to the former strategy.
    do {
      try await readyStore().write { try $0.bots.choose(strategy: name) }
    } catch {
      doubt(.strategy, after: error)
      throw error
    }
    state.withLock { $0.chosenStrategy = strategy }
    wakeTimer.ring()
  }

  /// Checks that the caller may act for a bot.
  /// - Throws: `missing`, `forbidden`, or `notReady` before the registered bots have been read.
  public func check(_ authority: TaskAuthority, speaksFor id: String) throws(TaskError) {
    let known = state.withLock {
      (bot: $0.roster[id], owner: $0.records[id]?.owner, isOpen: $0.phase.openStore != nil)
    }
    let bot = known.bot
    if bot == nil {
      // The owner isn't known yet.
      guard known.isOpen else { throw Self.notReady }
      if authority.isConfined { throw unknown(id) }
    }
    try authority.check(
      speakingFor: id, owner: known.owner, isPersons: { bot?.isOf($0) ?? false },
      isAnyPersons: bot?.definition.type == .user)
  }

  /// Returns an assignment that the caller may answer. The caller must be permitted to act for the
  /// bot. If it isn't the bot or the person itself, it must also be permitted to create the task.
  /// - Throws: `missing`, `forbidden` or `notReady`.
  func answerable(_ id: Int64, by authority: TaskAuthority) async throws -> AssignmentRow {
    let row = try await assignment(id)
    try check(authority, speaksFor: row.bot)
    let bot = state.withLock { $0.roster[row.bot] }
    guard authority.answersForOthers(isPersons: { bot?.isOf($0) ?? false }) else { return row }
    try authority.check(try await tasks.task(row.task), tasks.plan)
    return row
  }

  /// Returns the state of a bot, the number of its assignments by state, and their mean duration in
  /// milliseconds.
  /// - Throws: `missing` or `notReady`.
  public func stats(of id: String) async throws -> JSONObject {
    let bot = try bot(id)
    let statistics = try await readyStore().read { try $0.assignments.statistics(bot: id) }
    var object = Self.stats(statistics)
    for key in [
      "id", "name", "status", "current_tasks", "max_concurrent_tasks", "utilization", "registered",
      "last_heartbeat", "last_active",
    ] { object[key] = bot[key] }
    return object
  }

  /// Returns the numbers of assignments by state, the share that succeeded, and the mean duration
  /// in milliseconds. The share and the mean are null without any ended assignment.
  static func stats(_ statistics: [AssignmentStatistics]) -> JSONObject {
    var object = JSONObject()
    func count(_ state: AssignmentRow.State) -> Int64 {
      statistics.first { $0.state == state }?.count ?? 0
    }
    for state in AssignmentRow.State.allCases { object[state.rawValue] = JSONValue(count(state)) }
    let done = statistics.first { $0.state == .completed }
    let ended = count(.completed) + count(.failed)
    object["total"] = JSONValue(statistics.reduce(0) { $0 + $1.count })
    object["success_rate"] =
      ended > 0 ? JSONValue(Double(count(.completed)) / Double(ended)) : .null
    object["mean_duration_ms"] =
      done.map { JSONValue(Double($0.duration) / Double(max(1, $0.count))) } ?? .null
    return object
  }

  /// Returns the numbers of bots, tasks and assignments of the whole agent.
  /// - Throws: `notReady`; errors of the store.
  public func systemStats() async throws -> JSONObject {
    let totals = try await tasks.totals()
    let statistics = try await readyStore().read { try $0.assignments.statistics(bot: nil) }
    func sum(_ states: TaskState...) -> JSONValue {
      JSONValue(states.reduce(0) { $0 + (totals[$1] ?? 0) })
    }
    let summary = summary
    // A busy bot is online too.
    let online = (summary.byStatus[.online] ?? 0) + (summary.byStatus[.busy] ?? 0)
    var byStatus = JSONObject()
    for status in BotStatus.allCases {
      byStatus[status.rawValue] = JSONValue(summary.byStatus[status] ?? 0)
    }
    return [
      "total_bots": JSONValue(summary.byStatus.values.reduce(0, +)),
      "online_bots": JSONValue(online), "busy_bots": byStatus["busy"] ?? 0,
      "offline_bots": byStatus["offline"] ?? 0, "bots_by_status": .object(byStatus),
      "bot_utilization": JSONValue(summary.utilization),
      "queue_size": sum(.queued), "scheduled_tasks": sum(.scheduled),
      "active_assignments": JSONValue(
        statistics.filter { !$0.state.isEnded }.reduce(0) { $0 + $1.count }),
      "running_tasks": sum(.running), "completed_tasks": sum(.succeeded),
      "failed_tasks": sum(.failed, .dead), "assignments": .object(Self.stats(statistics)),
      "current_strategy": .string(strategy),
      "strategies": .object(
        JSONObject(summary.statistics.map { ($0.key, .object($0.value.json)) })),
    ]
  }

  /// The numbers of bots by status, the use of their slots, and the statistics of strategies.
  public struct Summary: Sendable {
    /// The number of bots in each status.
    public var byStatus: [BotStatus: Int] = [:]
    /// The share of all slots in use, from 0 to 1.
    public var utilization = 0.0
    /// The statistics of each strategy, sorted by its name.
    public var statistics: [(key: String, value: StrategyStatistics)] = []
  }

  /// The current numbers.
  public var summary: Summary {
    state.withLock { state in
      var summary = Summary()
      let standing = state.roster.standing
      summary.byStatus = standing.byStatus
      summary.utilization =
        standing.most > 0 ? Double(standing.load) / Double(standing.most) : 0
      summary.statistics = state.statistics.sorted { $0.key < $1.key }
      return summary
    }
  }
}

extension Bot {
  /// Whether the bot is the inbox of a person. The metadata's `user` names the person, otherwise
  /// the bot's name does.
  func isOf(_ user: String) -> Bool {
    definition.type == .user
      && (definition.metadata["user"]?.string ?? definition.name) == user
  }
}
