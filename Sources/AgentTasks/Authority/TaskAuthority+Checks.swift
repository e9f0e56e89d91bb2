package import AgentAssignment
package import AgentStore

extension TaskAuthority {
  // MARK: Having something done

  /// Refuses a definition that is to be done and that this authority couldn't have written.
  ///
  /// A program of one's choice, and secrets by name, are all that the host can do.
  package func check(
    _ type: String, definition: @autoclosure () -> TaskDefinition, plan: TaskPlan
  ) throws(TaskError) {
    switch reach {
    // Without reading the definition, which is stored as JSON.
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
      let isBuiltIn = type == TaskDraft.command || plan.types[type]?.source == "built-in"
      if isProgram, !granted.contains(TaskDraft.command) {
        throw Self.notGranted(module, TaskDraft.command)
      }
      if isBuiltIn, !granted.contains(type) { throw Self.notGranted(module, type) }
    }
  }

  /// Refuses a task that is there and is to be begun, given to somebody or changed.
  package func check(_ row: TaskRow, _ plan: TaskPlan) throws(TaskError) {
    try check(row.type, definition: TaskDefinition(stored: row.definition), plan: plan)
  }

  /// Whether a task that is there may be begun.
  func allows(_ row: TaskRow, _ plan: TaskPlan) -> Bool {
    do throws(TaskError) {
      try check(row, plan)
      return true
    } catch {
      return false
    }
  }

  /// Whether a task may be shown: a worker doesn't see what it couldn't have asked for.
  ///
  /// Rationale: people and programs with a token look at everything (docs/access.md). A worker is
  /// confined, and the input of an administrator's program is more than it was installed for.
  package func sees(_ row: TaskRow, _ plan: TaskPlan) -> Bool {
    guard isConfined else { return true }
    return allows(row, plan) || TaskDefinition(stored: row.definition).createdBy == actor
  }

  /// Whether there are tasks that it doesn't see.
  package var isConfined: Bool {
    if case .module = reach { true } else { false }
  }

  // MARK: Bots

  /// Refuses a bot that takes work which this authority couldn't ask for, or which the host or a
  /// module is there for: who takes a task sees its input and says what came of it.
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

  /// Whether a bot of its may take tasks of a type, by a plan that may have come since the bot was
  /// registered.
  package func mayTake(_ type: String, _ plan: TaskPlan) -> Bool {
    if reach == .everything { return true }
    do throws(TaskError) {
      try check(taking: type, plan)
      return true
    } catch {
      return false
    }
  }

  private func check(taking type: String, _ plan: TaskPlan) throws(TaskError) {
    let known = plan.types[type]
    guard type == TaskDraft.command || known?.executor != nil else { return }
    guard case .module(let module, let granted) = reach else {
      throw TaskError(
        .forbidden,
        "\(name) may not do this. It needs the scope \"administer\", since tasks of the type "
          + "\"\(type)\" are done by the agent.")
    }
    if known?.source == module || granted.contains(type) { return }
    throw Self.notGranted(module, type)
  }

  /// Refuses who may not speak for a bot.
  /// - Parameters:
  ///   - owner: who has registered it.
  ///   - isPersons: whether it stands for this person.
  package func check(
    speakingFor bot: String, owner: String?, isPersons: (String) -> Bool, isAnyPersons: Bool
  ) throws(TaskError) {
    switch reach {
    case .everything: return
    case .declared(let person, let operates):
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

  /// Whether it may have done whatever the host can do.
  package var isUnrestricted: Bool { reach == .everything }

  /// Whether it sees all of the addresses at which bots are called.
  package var seesAddresses: Bool { isUnrestricted }

  /// Refuses a bot's own token where all bots are concerned.
  package func checkIsForAllBots() throws(TaskError) {
    guard case .bot(let own) = reach else { return }
    throw TaskError(
      .forbidden, "This token belongs to \(own). It is valid for its own assignments only.")
  }

  /// Refuses who may not say how all tasks are given to bots.
  package func checkMayChooseStrategy() throws(TaskError) {
    try checkIsForAllBots()
    guard case .module(let module, let granted) = reach, !granted.contains(Self.strategy)
    else { return }
    throw Self.notGranted(module, Self.strategy)
  }

  /// Whether it answers for a bot that is somebody else's: what the bot was given must then be what
  /// it could have asked for, since it sees the input and says what came of it.
  package func answersForOthers(isPersons: (String) -> Bool) -> Bool {
    guard case .declared(let person, _) = reach else { return false }
    return !(person.map(isPersons) ?? false)
  }

  // MARK: In words

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
