public import AgentAssignment
public import AgentJSON
internal import AgentStore
public import AgentTasks
internal import Synchronization
internal import AgentSystem

/// The bots, and how they stand.
extension TaskDispatcher {
  /// The bots, by id.
  /// - Parameters:
  ///   - id: only those with a greater id.
  ///   - limit: the maximum number of bots.
  ///   - authority: the caller's; nil for the view that every caller has.
  /// - Throws: `notReady` as long as it isn't known who is registered.
  public func bots(
    type: String? = nil, status: BotStatus? = nil, taskType: String? = nil, after id: String? = nil,
    limit: Int = .max, for authority: TaskAuthority? = nil
  ) throws(TaskError) -> [JSONObject] {
    // A client that finds no bot of its name registers, and the bot would be there twice.
    _ = try readyStore()
    return state.withLock { state in
      let bots = state.roster.bots(after: id, limit: limit) { bot in
        Self.isMeant(bot, type: type, status: status, taskType: taskType)
      }
      return bots.map { report($0, state, for: authority) }
    }
  }

  /// Whether a list is to have a bot; nil leaves nothing out.
  static func isMeant(_ bot: Bot, type: String?, status: BotStatus?, taskType: String?) -> Bool {
    (type == nil || bot.definition.type.name == type) && (status == nil || bot.status == status)
      && (taskType == nil
        || bot.definition.capabilities.contains { $0.taskTypes.contains(taskType ?? "") })
  }

  /// One bot.
  /// - Parameter authority: the caller's; nil for the view that every caller has.
  /// - Throws: `missing`.
  public func bot(
    _ id: String, for authority: TaskAuthority? = nil
  ) throws(TaskError) -> JSONObject {
    try state.withLock { state throws(TaskError) in
      guard let bot = state.roster[id] else { throw Self.unknown(id, state) }
      return report(bot, state, for: authority)
    }
  }

  /// The id of the bot of this name that an owner has registered; nil where there is none.
  /// - Throws: `notReady` as long as it isn't known who is registered.
  public func bot(named name: String, ownedBy owner: String) throws(TaskError) -> String? {
    _ = try readyStore()
    return state.withLock { state in
      state.roster.bots(limit: 1) {
        $0.definition.name == name && state.records[$0.id]?.owner == owner
      }.first?.id
    }
  }

  /// The types of tasks for which a bot is registered, sorted.
  /// - Throws: `notReady` as long as it isn't known who is registered.
  public func taskTypes() throws(TaskError) -> [String] {
    _ = try readyStore()
    return state.withLock { $0.roster.taskTypes }
  }

  /// The bot that a value describes.
  /// - Parameter name: what the value is called in a sentence.
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

  /// The definition of a bot, or nil.
  public func definition(of id: String) -> BotDefinition? {
    state.withLock { $0.roster[id]?.definition }
  }

  /// A bot as it is shown. Administrators see its full webhook address: paths
  /// and queries of webhooks are often secrets.
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

  /// Nobody is registered by that id; before the dispatcher has recalled who is, nobody knows.
  static func unknown(_ id: String, _ state: DispatcherState) -> TaskError {
    guard state.phase.openStore != nil else { return notReady }
    return TaskError(.missing, "There is no bot \(id). \"agent bot list\" shows them.")
  }

  func unknown(_ id: String) -> TaskError { state.withLock { Self.unknown(id, $0) } }

  /// Says how a bot stands.
  public func say(
    _ id: String, _ status: BotStatus, by authority: TaskAuthority
  ) async throws -> JSONObject {
    let moment = now()
    try check(authority, speaksFor: id)
    try await change(id) { state in state.roster.apply(.said(status), to: id, at: moment) }
    return try bot(id, for: authority)
  }

  /// A bot is there. From its first heartbeat on it is missed when they stop.
  public func heartbeat(_ id: String, by authority: TaskAuthority) async throws -> JSONObject {
    try check(authority, speaksFor: id)
    if try beats(id) { try await keep(id) }
    return try bot(id, for: authority)
  }

  /// Apart from what waits: the optimizer of Swift 6.3.1 doesn't survive both in one function.
  /// - Returns: whether that is to be stored.
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
    if isFirst { wakeTimer.ring(at: moment.adding(plan.heartbeatTimeout), now: moment) }
    return isFirst || !wasThere
  }

  /// Records a heartbeat of a bot.
  /// - Returns: whether nothing else follows from it.
  @discardableResult
  func recordContact(of id: String, at moment: Int64) throws(TaskError) -> Bool {
    let actions = state.withLock { state in
      state.applyJump(of: clock)
      let actions = state.roster.apply(.heartbeat, to: id, at: moment)
      if actions?.isEmpty == false { state.records[id]?.since = moment }
      return actions
    }
    guard let actions else { throw unknown(id) }
    if actions.isEmpty { return true }
    perform(actions, of: id)
    return false
  }

  /// Changes a bot and does what follows.
  func change(_ id: String, _ body: (inout DispatcherState) -> [BotAction]?) async throws {
    // Before anything changes in memory that couldn't be stored.
    _ = try readyStore()
    let moment = now()
    let actions = try state.withLock { state throws(TaskError) in
      guard let actions = body(&state) else { throw Self.unknown(id, state) }
      if state.roster[id]?.lifecycle.takesTasks == true, !actions.isEmpty {
        state.records[id]?.since = moment
      }
      return actions
    }
    try await keep(id)
    if actions.contains(.requeueTasks) {
      await release(
        id, note: "The bot is \(state.withLock { $0.roster[id]?.status.rawValue ?? "" }).")
    }
    perform(actions.filter { $0 != .requeueTasks }, of: id)
    routeAndAssign()
  }

  /// Stores a bot as it is now.
  func keep(_ id: String) async throws {
    let moment = now()
    let row = state.withLock { state in
      state.records[id].flatMap { record in state.roster[id]?.row(record, now: moment) }
    }
    guard let row else { return }
    try await readyStore().write { transaction in
      // It may have been unregistered meanwhile.
      if try transaction.bots.bot(id) != nil { try transaction.bots.put(row) }
    }
  }

  func routeAndAssign() {
    route()
    wakeTimer.ring()
  }

  /// Does what follows from something that happened to a bot.
  func perform(_ actions: [BotAction], of id: String) {
    announce(actions, of: id)
    if actions.isEmpty { return }
    state.withLock { state in
      // A bot that is back can be missed from now on.
      guard let bot = state.roster[id], state.records[id]?.beats == true else { return }
      let timeout = state.plan.heartbeatTimeout
      state.silentFrom = min(state.silentFrom, bot.lastHeartbeat.adding(timeout).adding(1))
    }
    routeAndAssign()
  }
}
