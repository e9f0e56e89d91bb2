internal import AgentJSON
internal import AgentModules
internal import AgentProcesses
internal import AgentSettings
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers

/// Makes the plan of the task engine from the settings: the types of tasks and their executors.
struct TaskPlanner {
  let settings: AgentSettings
  /// Where programs leave their artifacts.
  let artifactStore: ArtifactStore?
  let processes: @Sendable () -> ProcessManager?

  func plan() -> TaskPlan {
    var plan = TaskPlan()
    let tasks = settings.tasks
    plan.slots = tasks.slots
    plan.maxOpen = Int64(tasks.maxOpen)
    plan.maxBytes = Int64(clamping: tasks.maxBytes ?? settings.store.maxBytes / 4)
    plan.maxBytesEach = Int64(clamping: tasks.maxBytesEach)
    // `tasks.ageing` is the wait that makes up for one named level of priority, and the levels
    // lie 250 apart (docs/tasks.md).
    plan.ageing = max(1, tasks.ageingMs / 250)
    plan.keep = Int64(clamping: min(tasks.keepDays, 36_500) * 86_400_000)
    plan.logLines = tasks.logLines
    plan.retry = TaskRetry(json: tasks.retry)
    plan.timeouts = TaskTimeouts(json: tasks.timeouts)
    plan.redact = { [redactor = settings.redactor] in redactor.redact($0) }
    for type in actions {
      // A name that two modules have belongs to neither alone.
      let isShared = actions.count { $0.plain == type.plain } > 1
      plan.types[type.full] = type.type(named: type.full)
      if !isShared { plan.types[type.plain] = type.type(named: type.plain) }
    }
    // In this order, because a later type replaces a former one of the same name: the settings go
    // before modules, and what is built in before both.
    for type in tasks.types { plan.types[type.name] = self.type(type) }
    for type in builtIn { plan.types[type.name] = type }
    return plan
  }

  // MARK: Built in

  private var builtIn: [TaskType] {
    let command = CommandExecutor(commandOptions)
    let request = RequestExecutor(
      fixed: nil, allowsPrivate: settings.tasks.allowsPrivate, secret: secret,
      redacting: redacting)
    // Compiled once a plan, and not for each task.
    let input = InputCheck(RequestExecutor.schema, for: "http")
    return [
      TaskType(
        name: "command",
        description: "Runs a program, or a function in Python or JavaScript.", source: "built-in",
        executor: command, check: command.problems),
      TaskType(
        name: "http", description: "Sends a request to a web server.", source: "built-in",
        input: RequestExecutor.schema, executor: request
      ) { definition in
        let problems = input?.problems(with: definition.input) ?? []
        // Only an input of the right shape can be looked at further.
        return problems.isEmpty ? request.problems(with: definition) : problems
      },
    ]
  }

  private var commandOptions: CommandExecutor.Options {
    let folder = settings.folder.path
    var options = CommandExecutor.Options(folder: folder)
    options.allowsShell = settings.tasks.allowsShell
    options.interpreters = [.python: settings.tasks.python, .node: settings.tasks.node]
    // The next host recognizes the processes of a killed host by it.
    options.environment = ["AGENT_WORKER_OF": folder]
    // A task can then call `agent`, wherever that is installed.
    if let own = FileSystem.realPath("/proc/self/exe") {
      options.environment["PATH"] = CommandExecutor.path + ":" + FileSystem.parent(own)
    }
    options.artifactStore = artifactStore
    options.grace = .milliseconds(settings.tasks.killAfterMs)
    options.secretNames = { [variables = settings.variables] in variables.secretNames }
    options.secret = secret
    options.redacting = redacting
    return options
  }

  private var secret: @Sendable (String) -> String? {
    { [variables = settings.variables] in variables.secret($0) }
  }

  /// Makes a function that replaces the secrets of the settings, these values, and the lines of
  /// these values that have 8 bytes or more.
  private var redacting: @Sendable ([String]) -> @Sendable (String) -> String {
    { [redactor = settings.redactor] values in
      // A key of several lines comes out line by line. Short lines are left: they occur in any
      // text.
      let lines = values.flatMap { $0.split(separator: "\n") }.filter { $0.utf8.count >= 8 }
      let secrets = Redactor(values + lines.map(String.init))
      return { redactor.redact(secrets.redact($0)) }
    }
  }

  // MARK: Of the settings

  private func type(_ settings: TaskTypeSettings) -> TaskType {
    let (executor, check) = executor(of: settings)
    let input = InputCheck(settings.input, for: settings.name)
    var type = TaskType(
      name: settings.name, description: settings.description, source: "settings",
      input: settings.input, executor: executor
    ) { definition in
      let problems = input?.problems(with: definition.input) ?? []
      return problems.isEmpty ? check(definition) : problems
    }
    if !settings.retry.isNull { type.retry = TaskRetry(json: settings.retry) }
    type.timeouts = TaskTimeouts(json: settings.timeouts)
    type.maxAtOnce = settings.maxAtOnce.map(Int64.init)
    return type
  }

  private func executor(
    of type: TaskTypeSettings
  ) -> ((any TaskExecutor)?, @Sendable (TaskDefinition) -> [String]) {
    switch type.executor {
    case .bots: return (nil, { _ in [] })
    case .command(let text, let usesShell, let secrets, let codes):
      do throws(TaskError) {
        var request = try CommandRequest(text, usesShell: usesShell)
        request.secrets = secrets
        request.finalCodes = codes.compactMap { Int32(exactly: $0) }
        let executor = CommandExecutor(commandOptions, fixed: request)
        return (executor, executor.problems)
      } catch {
        // The type stays, and each of its tasks is refused with the reason: without it they would
        // be of an unknown type.
        let sentence = "tasks.types.\(type.name) in the settings: \(error.message)"
        return (nil, { _ in [sentence] })
      }
    case .http(let request):
      let executor = RequestExecutor(
        fixed: request, allowsPrivate: settings.tasks.allowsPrivate, secret: secret,
        redacting: redacting)
      return (executor, executor.problems)
    case .action(let module, let name, let fixed):
      let executor = ActionExecutor(
        module: module, action: name, fixed: fixed, processes: processes)
      return (executor, { executor.problems(with: $0) })
    }
  }

  // MARK: Of modules

  /// An action of a module as a type.
  private struct ActionType {
    let module: String
    let plain: String
    let description: String
    let input: JSONValue?
    let processes: @Sendable () -> ProcessManager?

    var full: String { "\(module)/\(plain)" }

    func type(named name: String) -> TaskType {
      let executor = ActionExecutor(module: module, action: plain, processes: processes)
      return TaskType(
        name: name, description: description, source: module, input: input, executor: executor
      ) { executor.problems(with: $0) }
    }
  }

  private var actions: [ActionType] {
    settings.modules.flatMap { module in
      module.enabledContributions.filter { $0.contribution.kind == .action }.map { entry in
        ActionType(
          module: module.manifest.name, plain: entry.contribution.name,
          description: entry.contribution.description, input: entry.contribution.input,
          processes: processes)
      }
    }
  }
}
