package import AgentAssignment
package import AgentStore

extension TaskAuthority {
  // MARK: Definitions

  /// Refuses a definition that this authority couldn't have written.
  ///
  /// A definition with a program or the names of secrets gives all rights of the host.
  /// - Throws: `forbidden`.
  package func check(
    _ type: String, definition: @autoclosure () -> TaskDefinition, plan: TaskPlan
  ) throws(TaskError) {
    switch reach {
    // Returns first, because reading the definition means parsing stored JSON.
    case .everything: return
    case .declared, .bot:
      guard TaskDraft.asksForPrograms(type, definition()) else { return }
      throw TaskError(
        .forbidden,
        "\(name) may not do this. It needs the scope \"administer\", since it names a program or "
          + "secrets."
      )
    case .module(let module, let granted):
      let isProgram = TaskDraft.asksForPrograms(type, definition())
      // Built-in types act with the rights of the host, like a command.
      let isBuiltIn = type == TaskDraft.command || plan.types[type]?.source == "built-in"
      if isProgram, !granted.contains(TaskDraft.command) {
        throw Self.notGranted(module, TaskDraft.command)
      }
      if isBuiltIn, !granted.contains(type) { throw Self.notGranted(module, type) }
    }
  }

  /// Refuses to start, assign or change an existing task.
  package func check(_ row: TaskRow, _ plan: TaskPlan) throws(TaskError) {
    try check(row.type, definition: TaskDefinition(stored: row.definition), plan: plan)
  }

  /// Returns whether this authority may start an existing task.
  func allows(_ row: TaskRow, _ plan: TaskPlan) -> Bool {
    do throws(TaskError) {
      try check(row, plan)
      return true
    } catch {
      return false
    }
  }

  /// Returns whether this authority may see a task. A module sees only tasks that it could have
  /// created.
  ///
  /// Rationale: users and programs with a token see everything (docs/access.md). A module is
  /// confined, and the input of an administrator's program may contain more than the module should
  /// know.
  package func sees(_ row: TaskRow, _ plan: TaskPlan) -> Bool {
    guard isConfined else { return true }
    // The creator may see its task even if its grants have changed since.
    return allows(row, plan) || TaskDefinition(stored: row.definition).createdBy == actor
  }

  /// Whether some tasks are hidden from this authority.
  package var isConfined: Bool {
    if case .module = reach { true } else { false }
  }

  // MARK: Bots

  /// Refuses a bot that takes types of tasks that this authority couldn't create, or that the host
  /// or another module executes. A bot sees the input of its tasks and reports their result.
  package func check(_ bot: BotDefinition, _ plan: TaskPlan) throws(TaskError) {
    if reach == .everything { return }
    if bot.webhook?.secret != nil {
      throw TaskError(
        .forbidden,
        "\(name) may not do this. It needs the scope \"administer\", since the webhook names a "
          + "secret."
      )
    }
    for type in bot.capabilities.flatMap(\.taskTypes) { try check(taking: type, plan) }
  }

  /// Returns whether a bot of this authority may take tasks of a type. The plan may be newer than
  /// the bot.
  package func mayTake(_ type: String, _ plan: TaskPlan) -> Bool {
    if reach == .everything { return true }
    do throws(TaskError) {
      try check(taking: type, plan)
      return true
    } catch {
      return false
    }
  }

  /// Refuses a type whose tasks the host or another module executes.
  private func check(taking type: String, _ plan: TaskPlan) throws(TaskError) {
    let known = plan.types[type]
    // A type without an executor is meant for bots, so every caller may register a bot for it.
    guard type == TaskDraft.command || known?.executor != nil else { return }
    guard case .module(let module, let granted) = reach else {
      throw TaskError(
        .forbidden,
        "\(name) may not do this. It needs the scope \"administer\", since tasks of the type "
          + "\"\(type)\" are done by the agent.")
    }
    // A module may take its own types and those that the settings grant.
    if known?.source == module || granted.contains(type) { return }
    throw Self.notGranted(module, type)
  }

  /// Refuses a caller that may not act for a bot.
  /// - Parameters:
  ///   - bot: the id of the bot.
  ///   - owner: the actor that registered the bot.
  ///   - isPersons: returns whether the bot belongs to this user.
  ///   - isAnyPersons: whether the bot belongs to a user.
  package func check(
    speakingFor bot: String, owner: String?, isPersons: (String) -> Bool, isAnyPersons: Bool
  ) throws(TaskError) {
    switch reach {
    case .everything: return
    case .declared(let person, let operates):
      // Only the bots of other users are protected. A bot that belongs to no user isn't.
      guard isAnyPersons, !operates, !(person.map(isPersons) ?? false) else { return }
      throw TaskError(
        .forbidden,
        "\(name) may not do this. \(bot) is a person's. Sign in as that person, or use the scope "
          + "\"operate\"."
      )
    case .bot(let own):
      guard bot != own else { return }
      throw TaskError(
        .forbidden, "This token belongs to \(own). It is valid for its own assignments only.")
    case .module:
      guard owner != actor else { return }
      throw TaskError(
        .forbidden,
        "\(bot) was registered by \(owner ?? "somebody else"), so \(name) can't act for it.")
    }
  }

  /// Whether it may do everything that the host can do.
  package var isUnrestricted: Bool { reach == .everything }

  /// Whether it sees the complete addresses of webhooks.
  package var seesAddresses: Bool { isUnrestricted }

  /// Refuses the token of a single bot for calls that concern all bots.
  package func checkIsForAllBots() throws(TaskError) {
    guard case .bot(let own) = reach else { return }
    throw TaskError(
      .forbidden, "This token belongs to \(own). It is valid for its own assignments only.")
  }

  /// Refuses a caller that may not change the assignment strategy of all tasks.
  package func checkMayChooseStrategy() throws(TaskError) {
    try checkIsForAllBots()
    guard case .module(let module, let granted) = reach, !granted.contains(Self.strategy)
    else { return }
    throw Self.notGranted(module, Self.strategy)
  }

  /// Returns whether it acts for a bot of somebody else. Then each task of the bot must be one that
  /// it could have created, because it sees the input and reports the result.
  package func answersForOthers(isPersons: (String) -> Bool) -> Bool {
    guard case .declared(let person, _) = reach else { return false }
    return !(person.map(isPersons) ?? false)
  }

  // MARK: Messages

  /// The grant for a module that may change how all tasks are assigned to bots.
  static let strategy = "assignment_strategy"

  private var name: String { actor ?? "The host" }

  private static func notGranted(_ module: String, _ type: String) -> TaskError {
    let what =
      type == strategy
      ? "set the strategy that assigns all tasks. Grant it"
      : "create, execute or take tasks of the type \"\(type)\", which have the host's rights or belong to "
        + "another module. Declare a type in tasks.types, or grant it"
    return TaskError(
      .forbidden,
      "The module \(module) may not \(what): \"modules\": {\"\(module)\": {\"permissions\": "
        + "{\"tasks\": [\"\(type)\"]}}}.")
  }
}
