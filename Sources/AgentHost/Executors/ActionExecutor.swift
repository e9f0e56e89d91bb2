internal import AgentJSON
internal import AgentTasks
internal import AgentWorkers

/// Does tasks by a module's action.
struct ActionExecutor: TaskExecutor {
  let module: String
  let action: String
  /// What the input always has.
  var fixed: JSONObject = [:]
  let host: @Sendable () -> HostApplication?

  /// What isn't right with a task, in sentences.
  func problems(with definition: TaskDefinition) -> [String] {
    for (key, value) in fixed where definition.input[key].map({ $0 != value }) == true {
      return ["The settings set \"\(key)\" for tasks of this type. Leave it out."]
    }
    return host()?.problems(with: input(definition), for: action, of: module) ?? []
  }

  func run(_ work: TaskWork) async throws -> TaskOutcome {
    guard let host = host() else { return .snoozed(milliseconds: 0) }
    do {
      let timeout = work.definition.timeouts.run.map { Duration.milliseconds($0) }
      return .succeeded(
        try await host.invoke(
          module: module, kind: "action", contribution: action, input: input(work.definition),
          timeout: timeout, listener: Self.listener(for: work)))
    } catch {
      return .failed(error: error.fullText, isFinal: error.code == .invalid)
    }
  }

  /// What the action says is the task's: how far it has come, and what it logs.
  static func listener(for work: TaskWork) -> CallListener {
    CallListener(
      part: { bytes in
        if let value = try? JSONValue(parsing: bytes) { work.progress(Self.progress(value)) }
      }, log: work.log)
  }

  /// What an action reports as `{progress: 0…1, message}`, as tasks have it; what else it hands over
  /// is as it is.
  private static func progress(_ value: JSONValue) -> JSONValue {
    guard let fraction = value["progress"]?.double else { return value }
    var object: JSONObject = ["percent": JSONValue(fraction * 100)]
    object["message"] = value["message"]
    return .object(object)
  }

  private func input(_ definition: TaskDefinition) -> JSONValue {
    let input = definition.input.isNull ? [:] : definition.input
    guard !fixed.isEmpty, var object = input.object else { return input }
    for (key, value) in fixed { object[key] = value }
    return .object(object)
  }
}
