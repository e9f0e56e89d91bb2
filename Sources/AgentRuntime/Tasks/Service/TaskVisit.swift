internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import AgentWorkerProtocol

/// One call of `tasks/1`: who asks for what, and what they may.
///
/// Rationale: a module's worker is confined, the host isn't. What a module has done by the host may
/// not be more than the person allows who runs the agent: docs/decisions/0017.
struct TaskVisit: Sendable {
  let tasks: TaskEngine
  let bots: BotDesk
  /// As who they stand in what they create.
  let caller: String
  let module: String
  /// The built-in types that the settings grant to the module.
  let granted: Set<String>
  let root: JSONNode
  /// Notes that a bot counts on who asks.
  let registered: @Sendable (String) -> Void

  /// The whole input.
  var input: JSONValue { root.value }
  /// The bot that it is about.
  var bot: String { text("id") ?? "" }
  /// The task or the assignment that it is about.
  var id: Int64 { number("id") ?? 0 }

  func text(_ key: String) -> String? { root[key]?.string }
  func integer(_ key: String) -> Int64? { root[key]?.int.map(Int64.init) }
  /// A number of a task and the like, which travels as text.
  func number(_ key: String) -> Int64? { text(key).flatMap { Int64($0) } }

  // MARK: Rights

  /// What the settings and modules declare, and what bots do, is for every module; what is built in
  /// can do whatever the host can.
  func check(_ draft: TaskDraft) throws(WorkerError) {
    if draft.asksForPrograms { try check(type: TaskDraft.command) }
    try check(type: draft.type)
  }

  func check(type: String) throws(WorkerError) {
    let isBuiltIn = type == TaskDraft.command || tasks.plan.types[type]?.source == "built-in"
    guard isBuiltIn, !granted.contains(type) else { return }
    throw WorkerError(
      .unsupported,
      "The module \(module) may not create or do tasks of the type \"\(type)\", which can do what the "
        + "host can. Declare a type in tasks.types, or grant it: \"modules\": {\"\(module)\": "
        + "{\"permissions\": {\"tasks\": [\"\(type)\"]}}}.")
  }

  func check(_ bot: BotDefinition) throws(WorkerError) {
    for type in bot.capabilities.flatMap(\.taskTypes) { try check(type: type) }
  }

  /// Nobody speaks for a bot that somebody else has registered.
  func checkOwn(_ bot: String) throws {
    let owner = try bots.bot(bot)["owner"]?.string
    guard owner == caller else {
      throw WorkerError(
        .unsupported,
        "\(bot) was registered by \(owner ?? "somebody else"), so \(caller) can't speak for it.")
    }
  }

  /// The assignment that it is about, of a bot of its own.
  func ownAssignment() async throws -> AssignmentRow {
    let row = try await bots.assignment(id)
    try checkOwn(row.bot)
    return row
  }

  // MARK: Reading

  /// The bot that is described. `id` isn't a part of that.
  func definition() throws -> BotDefinition {
    var object = input.object ?? JSONObject()
    object["id"] = nil
    let definition = try bots.definition(
      in: JSONDocument(.object(object)).root, called: "The input")
    try check(definition)
    return definition
  }

  /// The bot of this name that who asks has registered before.
  func own(named name: String) -> String? {
    bots.bots().first { $0["owner"]?.string == caller && $0["name"]?.string == name }?["id"]?.string
  }
}
