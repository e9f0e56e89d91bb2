public import AgentAssignment
internal import AgentEvents
public import AgentJSON
internal import AgentStore
internal import Synchronization

/// The register.
extension BotDesk {
  /// Takes a bot in; it is online at once.
  /// - Parameter id: one of its own; nil makes one. One that is registered is replaced, and keeps
  ///   what it has.
  public func register(
    _ definition: BotDefinition, id: String? = nil, by owner: String?
  ) async throws -> JSONObject {
    let (store, moment) = (try readyStore(), now())
    let id = id ?? Self.newID()
    let isKnown = state.withLock { $0.roster[id] != nil }
    if isKnown {
      _ = try await update(id, definition)
      return try await say(id, .online)
    }
    let bot = Bot(id: id, definition: definition, registered: moment)
    try await store.write { [row = bot.row(owner: owner, beats: false, now: moment)] in
      try $0.bots.put(row)
    }
    state.withLock { state in
      state.roster.register(bot)
      state.records[id] = DeskState.Record(owner: owner, since: moment)
    }
    routeAndAssign()
    let report = try self.bot(id)
    tell("bot_registered", ["bot": .object(report)], about: id)
    return report
  }

  private static func newID() -> String {
    let digits = (0..<4).map { _ in
      let number = String(UInt32.random(in: 0...UInt32.max), radix: 16)
      return String(repeating: "0", count: 8 - number.count) + number
    }
    return "bot-" + digits.joined()
  }

  /// The bots, by id.
  public func bots(
    type: String? = nil, status: BotStatus? = nil, taskType: String? = nil
  ) -> [JSONObject] {
    state.withLock { state in
      state.roster.bots.filter { bot in
        (type == nil || bot.definition.type.name == type)
          && (status == nil || bot.status == status)
          && (taskType == nil
            || bot.definition.capabilities.contains { $0.taskTypes.contains(taskType ?? "") })
      }.map { report($0, state) }
    }
  }

  /// One bot.
  /// - Throws: `missing`.
  public func bot(_ id: String) throws(TaskError) -> JSONObject {
    try state.withLock { state throws(TaskError) in
      guard let bot = state.roster[id] else { throw Self.unknown(id) }
      return report(bot, state)
    }
  }

  /// The bot that a value describes.
  /// - Parameter name: what the value is called in a sentence.
  /// - Throws: `invalid` with every problem.
  public func definition(
    in node: JSONNode, called name: String
  ) throws(TaskError) -> BotDefinition {
    do throws(AssignmentProblems) {
      return try BotReader(customTypes: plan.types).read(node)
    } catch {
      let words = error.problems.map { problem in
        problem.pointer.dotted.isEmpty
          ? problem.message : "\(problem.pointer.dotted): \(problem.message)"
      }
      throw TaskError(.invalid, "\(name) isn't a bot: \(words.joined(separator: " "))")
    }
  }

  /// What kind of bot it is, or nil.
  public func definition(of id: String) -> BotDefinition? {
    state.withLock { $0.roster[id]?.definition }
  }

  func report(_ bot: Bot, _ state: DeskState) -> JSONObject {
    var object = bot.json
    object["owner"] = (state.records[bot.id]?.owner).map(JSONValue.string)
    object["sends_heartbeats"] = .bool(state.records[bot.id]?.beats ?? false)
    return object
  }

  static func unknown(_ id: String) -> TaskError {
    TaskError(.missing, "There is no bot \(id). \"agent bot list\" shows those there are.")
  }

  /// Says anew what a bot is; what it has stays.
  public func update(_ id: String, _ definition: BotDefinition) async throws -> JSONObject {
    try checkIsNotOwn(id)
    try await change(id) { roster in roster.update(id, definition) }
    return try bot(id)
  }

  /// Says how a bot stands.
  public func say(_ id: String, _ status: BotStatus) async throws -> JSONObject {
    let moment = now()
    try await change(id) { roster in roster.apply(.said(status), to: id, at: moment) }
    return try bot(id)
  }

  /// A bot is there. From its first heartbeat on it is missed when they stop.
  public func heartbeat(_ id: String) async throws -> JSONObject {
    if try beats(id) { try await keep(id) }
    return try bot(id)
  }

  /// Apart from what waits: the optimizer of Swift 6.3.1 doesn't survive both in one function.
  /// - Returns: whether that is to be stored.
  private func beats(_ id: String) throws(TaskError) -> Bool {
    let moment = now()
    let isFirst = state.withLock { state in
      defer { state.records[id]?.beats = true }
      return state.records[id].map { !$0.beats } ?? false
    }
    let wasThere = try heard(of: id, at: moment)
    if isFirst { bell.ring(at: moment.adding(plan.heartbeatTimeout), now: moment) }
    return isFirst || !wasThere
  }

  /// Notes that a bot was heard of.
  /// - Returns: whether nothing else follows from it.
  @discardableResult
  func heard(of id: String, at moment: Int64) throws(TaskError) -> Bool {
    let actions = state.withLock { state in
      let actions = state.roster.apply(.heartbeat, to: id, at: moment)
      if actions?.isEmpty == false { state.records[id]?.since = moment }
      return actions
    }
    guard let actions else { throw Self.unknown(id) }
    if actions.isEmpty { return true }
    follow(actions, of: id)
    return false
  }

  /// Takes a bot from the register; its tasks are queued again.
  public func unregister(_ id: String, note: String = "The bot was unregistered.") async throws {
    let store = try readyStore()
    try checkIsNotOwn(id)
    let report = try bot(id)
    state.withLock { state in
      _ = state.roster.apply(.unregister, to: id, at: now())
      state.records[id] = nil
    }
    try await store.write { _ = try $0.bots.remove(id) }
    route()
    await release(id, note: note)
    tell("bot_unregistered", ["bot": .object(report)], about: id)
    bell.ring()
  }

  /// Changes a bot and does what follows.
  private func change(_ id: String, _ body: (inout Roster) -> [BotAction]?) async throws {
    _ = try readyStore()
    let moment = now()
    let actions = try state.withLock { state throws(TaskError) in
      guard let actions = body(&state.roster) else { throw Self.unknown(id) }
      if state.roster[id]?.life.takesTasks == true, !actions.isEmpty {
        state.records[id]?.since = moment
      }
      return actions
    }
    try await keep(id)
    if actions.contains(.requeueTasks) {
      await release(
        id, note: "The bot is \(state.withLock { $0.roster[id]?.status.rawValue ?? "" }).")
    }
    follow(actions.filter { $0 != .requeueTasks }, of: id)
    routeAndAssign()
  }

  /// Stores a bot as it is now.
  func keep(_ id: String) async throws {
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
    }
  }

  func routeAndAssign() {
    route()
    bell.ring()
  }

  /// Does what follows from something that happened to a bot.
  func follow(_ actions: [BotAction], of id: String) {
    announce(actions, of: id)
    if !actions.isEmpty { routeAndAssign() }
  }

  /// Tells what follows from something that happened to a bot.
  func announce(_ actions: [BotAction], of id: String) {
    for action in actions {
      switch action {
      case .announce(let status):
        guard let report = try? bot(id) else { continue }
        tell(
          "bot_status_changed", ["bot": .object(report), "status": .string(status.rawValue)],
          about: id)
      case .drained:
        guard let report = try? bot(id) else { continue }
        tell("bot_drained", ["bot": .object(report)], about: id)
      case .requeueTasks:
        Task { await release(id, note: "The bot was lost.") }
      case .forget: break
      }
    }
  }

  /// Publishes what has happened; live only, unless somebody should look.
  func tell(_ type: String, _ members: JSONObject, about key: String, isTrouble: String? = nil) {
    var object: JSONObject = ["type": .string(type), "key": .string(key)]
    for (name, value) in members { object[name] = value }
    if let isTrouble {
      object["severity"] = "warning"
      object["title"] = .string(isTrouble)
    } else {
      object["__skipstorage"] = true
    }
    publish(object)
  }
}
