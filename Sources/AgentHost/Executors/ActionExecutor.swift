internal import AgentJSON
internal import AgentProcesses
internal import AgentTasks
internal import AgentWorkers

/// Runs tasks by calling a module's action.
struct ActionExecutor: TaskExecutor {
  let module: String
  let action: String
  /// Members that the settings set in every input.
  var fixed: JSONObject = [:]
  let processes: @Sendable () -> ProcessManager?

  /// Checks a task and returns the problems in sentences. Empty when there are none.
  func problems(with definition: TaskDefinition) -> [String] {
    for (key, value) in fixed where definition.input[key].map({ $0 != value }) == true {
      return ["The settings set \"\(key)\" for tasks of this type. Leave it out."]
    }
    return processes()?.problems(with: input(definition), for: action, of: module) ?? []
  }

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    // The host is ending. The task is no failure, and goes back to the queue for the next host.
    guard let processes = processes() else { return .snoozed(milliseconds: 0) }
    do {
      let timeout = work.definition.timeouts.run.map { Duration.milliseconds($0) }
      return .succeeded(
        try await processes.invoke(
          module: module, kind: "action", contribution: action, input: input(work.definition),
          timeout: timeout, listener: Self.listener(for: work)))
    } catch {
      // The same input is refused again. Anything else, such as a worker that crashed, may work
      // the next time.
      return .failed(error: error.fullText, isFinal: error.code == .invalid)
    }
  }

  /// Passes the action's progress and log records on to the task. The link calls it on the loop's
  /// thread.
  static func listener(for work: TaskWork) -> CallListener {
    CallListener(
      part: { bytes in
        if let value = try? JSONValue(parsing: bytes) { work.progress(Self.progress(value)) }
      }, log: work.log)
  }

  /// Translates `{progress: 0…1, message}` of an action into the form of tasks. Any other value
  /// stays as it is.
  private static func progress(_ value: JSONValue) -> JSONValue {
    guard let fraction = value["progress"]?.double else { return value }
    var object: JSONObject = ["percent": JSONValue(fraction * 100)]
    object["message"] = value["message"]
    return .object(object)
  }

  private func input(_ definition: TaskDefinition) -> JSONValue {
    let input = definition.input.isNull ? [:] : definition.input
    guard !fixed.isEmpty, var object = input.object else { return input }
    // The settings win. Another value was refused when the task was created, unless the settings
    // have changed since.
    for (key, value) in fixed { object[key] = value }
    return .object(object)
  }
}
