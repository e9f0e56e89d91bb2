internal import AgentJSON
internal import AgentModules
internal import AgentProcesses
internal import AgentSettings
internal import AgentSystem
internal import AgentTasks
internal import AgentWorkers

/// Creates the plan of the task engine from the settings: the types of tasks and their executors.
struct TaskPlanner {
  let settings: AgentSettings
  /// The store of the files that programs write. Nil stores none.
  let artifactStore: ArtifactStore?
  let processes: @Sendable () -> ProcessManager?

  /// Returns the plan.
  func plan() -> TaskPlan {
    var plan = TaskPlan()
    let tasks = settings.tasks
    plan.slots = tasks.slots
    plan.maxOpen = Int64(tasks.maxOpen)
    // A quarter of the store by default, so that tasks leave space for the other data.
    plan.maxBytes = Int64(clamping: tasks.maxBytes ?? settings.store.maxBytes / 4)
    plan.maxBytesEach = Int64(clamping: tasks.maxBytesEach)
    plan.maxEndedBytes = Int64(clamping: tasks.maxEndedBytes ?? settings.store.maxBytes / 8)
    plan.maxArtifactBytes = Int64(clamping: tasks.maxArtifactBytes)
    plan.maxSchedules = Int64(clamping: tasks.maxSchedules)
    plan.maxScheduleBytes = Int64(clamping: tasks.maxScheduleBytes)
    // `tasks.ageing` is the wait that equals one named level of priority. The levels are 250 apart
    // (docs/tasks.md).
    plan.ageing = max(1, tasks.ageingMs / 250)
    // At most a hundred years, because the product must not overflow.
    plan.keep = Int64(clamping: min(tasks.keepDays, 36_500) * 86_400_000)
    plan.logLines = tasks.logLines
    plan.retry = TaskRetry(json: tasks.retry)
    plan.timeouts = TaskTimeouts(json: tasks.timeouts)
    plan.redact = { [redactor = settings.redactor] in redactor.redact($0) }
    for type in actions {
      // A short name that two modules use is ambiguous. Only their full names are valid.
      let isShared = actions.count { $0.plain == type.plain } > 1
      plan.types[type.full] = type.type(named: type.full)
      if !isShared { plan.types[type.plain] = type.type(named: type.plain) }
    }
    // The order matters, because a later type replaces an earlier one with the same name: settings
    // replace modules, and built-in types replace both.
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
    // Compiled once for each plan, not for each task.
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
        // The further checks assume an input that matches the schema.
        return problems.isEmpty ? request.problems(with: definition) : problems
      },
    ]
  }

  private var commandOptions: CommandExecutor.Options {
    let folder = settings.folder.path
    var options = CommandExecutor.Options(folder: folder)
    options.allowsShell = settings.tasks.allowsShell
    options.interpreters = [.python: settings.tasks.python, .node: settings.tasks.node]
    // After a kill of the host, the next one recognizes the processes by this variable.
    options.environment = ["AGENT_WORKER_OF": folder]
    // A task can call `agent` then, wherever it is installed.
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

  /// Returns a function that creates a redactor. The redactor replaces the secrets of the settings,
  /// the given values, and their lines of 8 bytes or more.
  private var redacting: @Sendable ([String]) -> @Sendable (String) -> String {
    { [redactor = settings.redactor] values in
      // A key of several lines appears line by line in output. Short lines occur in any text and
      // are left.
      let lines = values.flatMap { $0.split(separator: "\n") }.filter { $0.utf8.count >= 8 }
      let secrets = Redactor(values + lines.map(String.init))
      return { redactor.redact(secrets.redact($0)) }
    }
  }

  // MARK: Types of the settings

  /// Returns a type that the settings define.
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

  /// Returns the executor of a type, and the check of its tasks. No executor means that bots run
  /// them.
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
        // The type stays, and the check refuses its tasks with the reason. Without the type, they
        // would be refused as unknown.
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

  // MARK: Types of modules

  /// A module's action as a type of task.
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
