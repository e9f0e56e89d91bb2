public import AgentAssignment
public import AgentJSON
internal import AgentStore
public import AgentTasks
internal import Synchronization
internal import AgentSystem

/// Lists bots, and applies their heartbeats and statuses.
extension TaskDispatcher {
  /// Returns the bots that match every given condition, sorted by id.
  /// - Parameters:
  ///   - type: the name of a type of bot.
  ///   - taskType: a type of task that the bot is registered for.
  ///   - id: only bots with a greater id follow. Nil begins with the first.
  ///   - limit: the maximum number of bots.
  ///   - authority: the caller. Nil returns the view that every caller has.
  /// - Throws: `notReady` before the registered bots have been read.
  public func bots(
    type: String? = nil, status: BotStatus? = nil, taskType: String? = nil, after id: String? = nil,
    limit: Int = .max, for authority: TaskAuthority? = nil
  ) throws(TaskError) -> [JSONObject] {
    // An empty list before that would make a client register its bot a second time.
    _ = try readyStore()
    return state.withLock { state in
      let bots = state.roster.bots(after: id, limit: limit) { bot in
        Self.isMeant(bot, type: type, status: status, taskType: taskType)
      }
      return bots.map { report($0, state, for: authority) }
    }
  }

  /// Whether a bot matches every given condition.
  static func isMeant(_ bot: Bot, type: String?, status: BotStatus?, taskType: String?) -> Bool {
    (type == nil || bot.definition.type.name == type) && (status == nil || bot.status == status)
      && (taskType == nil
        || bot.definition.capabilities.contains { $0.taskTypes.contains(taskType ?? "") })
  }

  /// Returns one bot.
  /// - Parameter authority: the caller. Nil returns the view that every caller has.
  /// - Throws: `missing`; `notReady` before the registered bots have been read.
  public func bot(
    _ id: String, for authority: TaskAuthority? = nil
  ) throws(TaskError) -> JSONObject {
    try state.withLock { state throws(TaskError) in
      guard let bot = state.roster[id] else { throw Self.unknown(id, state) }
      return report(bot, state, for: authority)
    }
  }

  /// Returns the id of the bot with this name that an owner has registered, or nil.
  /// - Throws: `notReady` before the registered bots have been read.
  public func bot(named name: String, ownedBy owner: String) throws(TaskError) -> String? {
    _ = try readyStore()
    return state.withLock { state in
      state.roster.bots(limit: 1) {
        $0.definition.name == name && state.records[$0.id]?.owner == owner
      }.first?.id
    }
  }

  /// Returns the types of tasks for which a bot is registered, sorted.
  /// - Throws: `notReady` before the registered bots have been read.
  public func taskTypes() throws(TaskError) -> [String] {
    _ = try readyStore()
    return state.withLock { $0.roster.taskTypes }
  }

  /// Reads the definition of a bot.
  /// - Parameter name: the name of the value in error messages.
  /// - Throws: `invalid` with every problem.
  public func definition(
    in node: JSONNode, called name: String
  ) throws(TaskError) -> BotDefinition {
    do throws(AssignmentProblems) {
      return try BotDefinitionReader(customTypes: plan.types).read(node)
    } catch {
      let words = error.problems.map { problem in
        problem.pointer.dotted.isEmpty
          ? problem.message : "\(problem.pointer.dotted): \(problem.message)"
      }
      throw TaskError(.invalid, "\(name) isn't a bot: \(words.joined(separator: " "))")
    }
  }

  /// Returns the definition of a registered bot, or nil.
  public func definition(of id: String) -> BotDefinition? {
    state.withLock { $0.roster[id]?.definition }
  }

  /// Returns a bot as the API shows it. Only administrators see the full address of a webhook: its
  /// path and query often contain secrets.
  func report(
    _ bot: Bot, _ state: DispatcherState, for authority: TaskAuthority? = nil
  ) -> JSONObject {
    var object = bot.json
    if let webhook = bot.definition.webhook, authority?.seesAddresses != true {
      object["webhook"] = webhook.shown
    }
    object["owner"] = (state.records[bot.id]?.owner).map(JSONValue.string)
    if !bot.withheld.isEmpty {
      object["withheld_task_types"] = .array(bot.withheld.sorted().map(JSONValue.string))
    }
    object["sends_heartbeats"] = .bool(state.records[bot.id]?.beats ?? false)
    return object
  }

  /// Returns the error for an unknown id: `missing`, or `notReady` before the registered bots have
  /// been read.
  static func unknown(_ id: String, _ state: DispatcherState) -> TaskError {
    guard state.phase.openStore != nil else { return notReady }
    return TaskError(.missing, "There is no bot \(id). \"agent bot list\" shows them.")
  }

  func unknown(_ id: String) -> TaskError { state.withLock { Self.unknown(id, $0) } }

  /// Sets the status of a bot, as its owner reports it.
  /// - Returns: the bot after the change.
  /// - Throws: `missing`, `forbidden` or `notReady`.
  public func say(
    _ id: String, _ status: BotStatus, by authority: TaskAuthority
  ) async throws -> JSONObject {
    let moment = now()
    try check(authority, speaksFor: id)
    try await change(
      id, stored: { $0.lifecycle = BotStateMachine.said(status).stored }
    ) { state in
      state.roster.apply(.said(status), to: id, at: moment)
    }
    return try bot(id, for: authority)
  }

  /// Records a heartbeat. After the first one, the bot is lost when its heartbeats stop.
  /// - Returns: the bot after the change.
  /// - Throws: `missing`, `forbidden` or `notReady`.
  public func heartbeat(_ id: String, by authority: TaskAuthority) async throws -> JSONObject {
    try check(authority, speaksFor: id)
    // Not every heartbeat is stored: only those that change the bot.
    if try beats(id) { try await keep(id) }
    return try bot(id, for: authority)
  }

  /// Records a heartbeat in memory. It is a function of its own because the optimizer of Swift
  /// 6.3.1 crashes if it is part of `heartbeat`.
  /// - Returns: whether the bot has changed and must be stored.
  private func beats(_ id: String) throws(TaskError) -> Bool {
    let moment = now()
    let isFirst = state.withLock { state in
      defer { state.records[id]?.beats = true }
      let isFirst = state.records[id].map { !$0.beats } ?? false
      if isFirst {
        state.silentFrom = min(
          state.silentFrom, moment.adding(state.plan.heartbeatTimeout).adding(1))
      }
      return isFirst
    }
    let wasThere = try recordContact(of: id, at: moment)
    // Nothing else wakes the loop when the first heartbeat isn't followed by a second.
    if isFirst { wakeTimer.ring(at: moment.adding(plan.heartbeatTimeout), now: moment) }
    return state.withLock { state in
      if isFirst || !wasThere { state.records[id]?.isUnstored = true }
      // A former heartbeat may not be stored, because its write failed.
      return state.records[id]?.isUnstored ?? false
    }
  }

  /// Records that a bot is present. A lost bot is online again.
  /// - Returns: whether nothing changed but the time of the last contact.
  /// - Throws: `missing` or `notReady`.
  @discardableResult
  func recordContact(of id: String, at moment: Int64) throws(TaskError) -> Bool {
    let actions = state.withLock { state in
      state.applyJump(of: clock)
      let actions = state.roster.apply(.heartbeat, to: id, at: moment)
      // A bot that was lost may get tasks again whose offers it let expire.
      if actions?.isEmpty == false { state.records[id]?.since = moment }
      return actions
    }
    guard let actions else { throw unknown(id) }
    if actions.isEmpty { return true }
    perform(actions, of: id)
    return false
  }

  /// Stores a change of a bot, applies it in memory, and performs the resulting actions.
  ///
  /// Rationale: a change that is refused must not be in force, and each change is applied to the
  /// stored row, so that changes at the same time don't undo one another.
  /// - Parameters:
  ///   - isMeant: whether the change still applies. It runs on the writer's thread, as `stored` does.
  ///   - stored: changes the row.
  ///   - body: changes the memory after the commit. It returns nil if the bot is unknown.
  func change(
    _ id: String, while isMeant: @escaping @Sendable () -> Bool = { true },
    stored: @escaping @Sendable (inout BotRow) -> Void,
    _ body: @escaping @Sendable (inout DispatcherState) -> [BotAction]?
  ) async throws {
    let store = try readyStore()
    let moment = now()
    let actions = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<[BotAction], any Error>) in
      store.submit(.savepoint) { transaction -> Bool in
        guard isMeant() else { return false }
        // A bot of the settings has no row. Another one may have been unregistered meanwhile, and
        // must not be stored again.
        guard var row = try transaction.bots.bot(id) else { return true }
        stored(&row)
        row.updated = moment
        try transaction.bots.put(row)
        return true
      } completion: { [self] (outcome: Result<Bool, any Error>) in
        // Here and not after the `await`, because later writes end on this thread too. The changes
        // are in force in the order in which they are stored.
        if case .failure(let error) = outcome { doubt(.bot(id), after: error) }
        continuation.resume(
          with: outcome.flatMap { isMeant in
            Result { isMeant ? try apply(body, to: id, at: moment) : [] }
          })
      }
    }
    await finish(actions, of: id)
  }

  /// Performs the actions that follow from a stored change of a bot.
  func finish(_ actions: [BotAction], of id: String) async {
    // Awaited here, so that the response shows the requeued tasks. `announce` would not wait.
    if actions.contains(.requeueTasks) {
      await release(
        id, note: "The bot is \(state.withLock { $0.roster[id]?.status.rawValue ?? "" }).")
    }
    perform(actions.filter { $0 != .requeueTasks }, of: id)
    routeAndAssign()
  }

  /// Applies a stored change of a bot in memory.
  func apply(
    _ body: (inout DispatcherState) -> [BotAction]?, to id: String, at moment: Int64
  ) throws(TaskError) -> [BotAction] {
    try state.withLock { state throws(TaskError) in
      guard let actions = body(&state) else { throw Self.unknown(id, state) }
      if state.roster[id]?.lifecycle.takesTasks == true, !actions.isEmpty {
        state.records[id]?.since = moment
      }
      return actions
    }
  }

  /// Stores that a bot has sent a heartbeat. Does nothing if it isn't registered.
  private func keep(_ id: String) async throws {
    let moment = now()
    guard let heartbeat = state.withLock({ $0.roster[id]?.lastHeartbeat }) else { return }
    try await readyStore().write { transaction in
      // The bot may have been unregistered meanwhile. It must not be stored again.
      guard var row = try transaction.bots.bot(id) else { return }
      // Applied to the stored row: a change of the bot may be stored and not be in memory yet.
      var lifecycle = BotStateMachine(stored: row.lifecycle)
      _ = lifecycle.apply(.heartbeat)
      (row.lifecycle, row.heartbeat) = (lifecycle.stored, heartbeat)
      (row.beats, row.updated) = (true, moment)
      try transaction.bots.put(row)
    }
    state.withLock { $0.records[id]?.isUnstored = false }
  }

  /// Updates the types that bots run, and wakes the loop.
  func routeAndAssign() {
    route()
    wakeTimer.ring()
  }

  /// Performs the actions that follow from a change of a bot, and updates the routing.
  func perform(_ actions: [BotAction], of id: String) {
    announce(actions, of: id)
    if actions.isEmpty { return }
    state.withLock { state in
      // From now on, the bot can be lost again.
      guard let bot = state.roster[id], state.records[id]?.beats == true else { return }
      let timeout = state.plan.heartbeatTimeout
      state.silentFrom = min(state.silentFrom, bot.lastHeartbeat.adding(timeout).adding(1))
    }
    routeAndAssign()
  }
}
