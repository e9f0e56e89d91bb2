internal import AgentAssignment
internal import AgentBots
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import AgentWorkerProtocol

/// One call of `tasks/1`, with its caller, its input and its authority.
///
/// Rationale: a module's worker runs in a sandbox, but the host doesn't. Through the host, a module
/// must not do more than the person who runs the agent allows: docs/decisions/0017.
struct TaskServiceRequest: Sendable {
  let tasks: TaskEngine
  let bots: TaskDispatcher
  /// The name that is stored as the creator of the caller's tasks and bots.
  let caller: String
  /// The caller's permissions.
  let authority: TaskAuthority
  let root: JSONNode
  /// The turn in which the host makes a large answer.
  let turn: AnswerTurn
  /// Records that the bot with this id depends on the caller. Called before the bot is stored, and
  /// again after that.
  let registered: @Sendable (String) -> Void
  /// Records that the bot with this id wasn't registered.
  let refused: @Sendable (String) -> Void

  /// The whole input.
  var input: JSONValue { root.value }
  /// The bot's id in the input.
  var bot: String { text("id") ?? "" }
  /// The id of the task or the assignment in the input.
  var id: Int64 { number("id") ?? 0 }

  func text(_ key: String) -> String? { root[key]?.string }
  func integer(_ key: String) -> Int64? { root[key]?.int.map(Int64.init) }
  /// Returns the id of a task, an assignment or the like. The input contains such ids as text.
  func number(_ key: String) -> Int64? { text(key).flatMap { Int64($0) } }

  /// Returns the task of the call.
  /// - Throws: if the task doesn't exist or the caller may not see it.
  func task() async throws -> TaskRow { try await tasks.task(id, for: authority) }

  // MARK: Reading

  /// Returns the definition of a bot in the input. The member `id` isn't part of it.
  func definition() throws -> BotDefinition {
    var object = input.object ?? JSONObject()
    object["id"] = nil
    return try bots.definition(in: JSONDocument(.object(object)).root, called: "The input")
  }

  /// Returns the id of the bot with this name that the caller registered before, or `nil` if there
  /// is none.
  func own(named name: String) throws -> String? {
    try bots.bot(named: name, ownedBy: caller)
  }
}
