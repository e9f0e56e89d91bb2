internal import AgentJSON
internal import AgentModules
internal import AgentSettings
internal import AgentTasks

/// Which types of tasks there are by these settings, and who does them.
struct TaskPlanner {
  let settings: AgentSettings
  let host: @Sendable () -> AgentHost?

  func plan() -> TaskPlan {
    var plan = TaskPlan()
    plan.redact = { [redactor = settings.redactor] in redactor.redact($0) }
    for type in actions {
      // A name that two modules have belongs to neither alone.
      let isShared = actions.count { $0.plain == type.plain } > 1
      plan.types[type.full] = type.type(named: type.full)
      if !isShared { plan.types[type.plain] = type.type(named: type.plain) }
    }
    return plan
  }

  /// An action of a module as a type.
  private struct ActionType {
    let module: String
    let plain: String
    let description: String
    let input: JSONValue?
    let host: @Sendable () -> AgentHost?

    var full: String { "\(module)/\(plain)" }

    func type(named name: String) -> TaskType {
      TaskType(
        name: name, description: description, source: module, input: input,
        executor: ActionExecutor(module: module, action: plain, host: host)
      ) { [host, module, plain] definition in
        host()?.problems(with: definition.input, for: plain, of: module) ?? []
      }
    }
  }

  private var actions: [ActionType] {
    settings.modules.flatMap { module in
      module.enabledContributions.filter { $0.contribution.kind == .action }.map { entry in
        ActionType(
          module: module.manifest.name, plain: entry.contribution.name,
          description: entry.contribution.description, input: entry.contribution.input, host: host)
      }
    }
  }
}

/// Does tasks by a module's action.
struct ActionExecutor: TaskExecutor {
  let module: String
  let action: String
  let host: @Sendable () -> AgentHost?

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    guard let host = host() else { return .snoozed(milliseconds: 0) }
    do {
      let input = work.definition.input.isNull ? [:] : work.definition.input
      let timeout = work.definition.timeouts.run.map { Duration.milliseconds($0) }
      return .succeeded(
        try await host.invoke(
          module: module, kind: "action", contribution: action, input: input, timeout: timeout))
    } catch {
      return .failed(error: error.fullText, isFinal: error.code == .invalid)
    }
  }
}
