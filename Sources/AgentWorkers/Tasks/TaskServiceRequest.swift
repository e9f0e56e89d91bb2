internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import AgentWorkerProtocol

/// One call of `tasks/1`: the caller, its input and its authority.
///
/// Rationale: a module's worker is confined, the host isn't. What a module has done by the host may
/// not be more than the person allows who runs the agent: docs/decisions/0017.
struct TaskServiceRequest: Sendable {
  let tasks: TaskEngine
  let bots: TaskDispatcher
  /// The caller's name in what it creates.
  let caller: String
  /// The caller's permissions.
  let authority: TaskAuthority
  let root: JSONNode
  /// The turn in which a large answer is made.
  let turn: AnswerTurn
  /// Notes that a bot depends on this caller.
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

  /// The task that it is about, when they may see it.
  func task() async throws -> TaskRow { try await tasks.task(id, for: authority) }

  // MARK: Reading

  /// The bot that is described. `id` isn't a part of that.
  func definition() throws -> BotDefinition {
    var object = input.object ?? JSONObject()
    object["id"] = nil
    return try bots.definition(in: JSONDocument(.object(object)).root, called: "The input")
  }

  /// The bot of this name that the caller has registered before.
  func own(named name: String) throws -> String? {
    try bots.bot(named: name, ownedBy: caller)
  }
}
