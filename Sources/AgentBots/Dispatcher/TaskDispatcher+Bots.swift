public import AgentAssignment
public import AgentJSON
internal import AgentStore
public import AgentTasks
internal import Synchronization
internal import AgentSystem

/// The register.
extension TaskDispatcher {
  /// Takes a bot in; it is online at once.
  /// - Parameter id: one of its own; nil makes one. One that is registered is replaced, and keeps
  ///   what it has.
  public func register(
    _ definition: BotDefinition, id: String? = nil, by authority: TaskAuthority
  ) async throws -> JSONObject {
    let store = try readyStore()
    let moment = now()
    let owner = authority.actor
    try authority.checkIsForAllBots()
    try authority.check(definition, tasks.plan)
    if let problem = NameCheck.problem(id, at: "id") { throw TaskError(.invalid, problem) }
    let id = id ?? Self.newID()
    let isKnown = state.withLock { $0.roster[id] != nil }
    if isKnown {
      _ = try await update(id, definition, by: authority)
      return try await say(id, .online, by: authority)
    }
    let bot = Bot(id: id, definition: definition, registered: moment)
    // Stored before it is in memory: a bot that is offered tasks must survive a kill of the host.
    try await store.write { [row = bot.row(owner: owner, beats: false, now: moment)] in
      try $0.bots.put(row)
    }
    state.withLock { state in
      state.roster.register(bot)
      state.records[id] = DispatcherState.Record(owner: owner, since: moment)
      // What nobody could take it may.
      if !state.alarmed.isEmpty { state.looksAtAll = true }
    }
    routeAndAssign()
    publishEvent("bot_registered", ["bot": .object(try self.bot(id))], about: id)
    return try self.bot(id, for: authority)
  }

  private static func newID() -> String {
    // 128 random bits: stored assignments name removed bots, whose ids must not return.
    let digits = (0..<4).map { _ in
      let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
      return String(repeating: "0", count: 8 - number.count) + number
    }
    return "bot-" + digits.joined()
  }

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
        (type == nil || bot.definition.type.name == type)
          && (status == nil || bot.status == status)
          && (taskType == nil
            || bot.definition.capabilities.contains { $0.taskTypes.contains(taskType ?? "") })
      }
      return bots.map { report($0, state, for: authority) }
    }
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
    object["sends_heartbeats"] = .bool(state.records[bot.id]?.beats ?? false)
    return object
  }

  /// Nobody is registered by that id; before the dispatcher has recalled who is, nobody knows.
  static func unknown(_ id: String, _ state: DispatcherState) -> TaskError {
    guard state.store != nil else { return notReady }
    return TaskError(.missing, "There is no bot \(id). \"agent bot list\" shows them.")
  }

  func unknown(_ id: String) -> TaskError { state.withLock { Self.unknown(id, $0) } }

  /// Says anew what a bot is; what it has stays.
  public func update(
    _ id: String, _ definition: BotDefinition, by authority: TaskAuthority
  ) async throws -> JSONObject {
    try check(authority, speaksFor: id)
    try authority.check(definition, tasks.plan)
    try checkIsNotLocal(id)
    try await change(id) { roster in
      var definition = definition
      // A caller that was shown a part of the address, and sends that, doesn't mean to change it.
      if let known = roster[id]?.definition.webhook, definition.webhook?.url == known.origin {
        definition.webhook?.url = known.url
      }
      return roster.update(id, definition)
    }
    // It may now take tasks that no bot could take before.
    state.withLock { $0.looksAtAll = true }
    wakeTimer.ring()
    return try bot(id, for: authority)
  }

  /// Says how a bot stands.
  public func say(
    _ id: String, _ status: BotStatus, by authority: TaskAuthority
  ) async throws -> JSONObject {
    let moment = now()
    try check(authority, speaksFor: id)
    try await change(id) { roster in roster.apply(.said(status), to: id, at: moment) }
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

  /// Takes a bot from the register; its tasks are queued again.
  public func unregister(
    _ id: String, note: String = "The bot was unregistered.", by authority: TaskAuthority
  ) async throws {
    let store = try readyStore()
    try check(authority, speaksFor: id)
    try checkIsNotLocal(id)
    if state.withLock({ $0.roster[id] == nil }) { return try await removeUnreadable(id, store) }
    // Read before the roster forgets it: the event shows the bot as it was.
    let report = try bot(id)
    try await store.write { [ending = state.withLock(\.ending)] transaction in
      _ = try transaction.bots.remove(id)
      try ending?(id, transaction)
    }
    state.withLock { state in
      _ = state.roster.apply(.unregister, to: id, at: now())
      state.records[id] = nil
      // Tasks that only this bot could take can't be taken any more, which has to be reported.
      state.looksAtAll = true
    }
    route()
    await release(id, note: note)
    publishEvent("bot_unregistered", ["bot": .object(report)], about: id)
    wakeTimer.ring()
  }

  /// One whose row can't be read was left out when the dispatcher was opened, and goes all the
  /// same.
  private func removeUnreadable(_ id: String, _ store: any Store) async throws {
    let isGone = try await store.write { [ending = state.withLock(\.ending)] transaction in
      guard try transaction.bots.remove(id) else { return false }
      try ending?(id, transaction)
      return true
    }
    guard isGone else { throw unknown(id) }
  }

  /// Changes a bot and does what follows.
  private func change(_ id: String, _ body: (inout BotRoster) -> [BotAction]?) async throws {
    // Before anything changes in memory that couldn't be stored.
    _ = try readyStore()
    let moment = now()
    let actions = try state.withLock { state throws(TaskError) in
      guard let actions = body(&state.roster) else { throw Self.unknown(id, state) }
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
  /// - Parameter event: an event that is stored in the same commit.
  func keep(_ id: String, telling event: JSONObject? = nil) async throws {
    let moment = now()
    let row = state.withLock { state in
      state.roster[id].map { bot in
        bot.row(
          owner: state.records[id]?.owner, beats: state.records[id]?.beats ?? false, now: moment)
      }
    }
    guard let row else { return }
    try await readyStore().write { transaction in
      // It may have been unregistered meanwhile.
      if try transaction.bots.bot(id) != nil { try transaction.bots.put(row) }
      if let event { try self.record(event, in: transaction) }
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

  /// Publishes what follows from an event of a bot.
  func announce(_ actions: [BotAction], of id: String) {
    for action in actions {
      switch action {
      case .announce(let status):
        guard let report = try? bot(id) else { continue }
        publishEvent(
          "bot_status_changed", ["bot": .object(report), "status": .string(status.rawValue)],
          about: id)
      case .drained:
        guard let report = try? bot(id) else { continue }
        publishEvent("bot_drained", ["bot": .object(report)], about: id)
      case .requeueTasks:
        // In a task of its own: callers of this function can't wait for the store.
        Task { await release(id, note: "The bot was lost.") }
      case .forget: break
      }
    }
  }

  /// Publishes what has happened, live only.
  func publishEvent(_ type: String, _ members: JSONObject, about key: String) {
    var event = Self.event(type, members, about: key)
    event["__skipstorage"] = true
    publish(event)
  }

  /// An event that needs a person. It is stored with its cause: ``record(_:in:)``.
  static func trouble(
    _ type: String, _ members: JSONObject, about key: String, title: String
  ) -> JSONObject {
    var event = event(type, members, about: key)
    (event["severity"], event["title"]) = ("warning", .string(title))
    return event
  }

  private static func event(_ type: String, _ members: JSONObject, about key: String) -> JSONObject
  {
    var event: JSONObject = ["type": .string(type), "key": .string(key)]
    for (name, value) in members { event[name] = value }
    return event
  }

  /// Stores an event in the transaction of its cause.
  func record(_ event: JSONObject, in transaction: any StoreTransaction) throws {
    if let recorder = recorder.withLock(\.self) { return try recorder(event, transaction) }
    transaction.afterCommit { [publish] in publish(event) }
  }
}
