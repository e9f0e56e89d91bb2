import AgentJSON
import AgentModules
import AgentText
import JSONSchema

/// Reads `tasks`. The schema has reported values of the wrong type. This code checks the rules
/// between values.
extension SettingsReader {
  private static let path = ["tasks"]
  private static let builtIn = ["command", "http"]

  mutating func readTasks(_ modules: [ModuleSettings]) -> TaskSettings {
    var settings = TaskSettings()
    guard let values = root["tasks"] else { return settings }
    settings.slots = values["slots"]?.int ?? settings.slots
    settings.maxOpen = values["max_open"]?.int ?? settings.maxOpen
    settings.maxBytes = readSize(values["max_bytes"], at: Self.path + ["max_bytes"])
    settings.maxBytesEach =
      readSize(values["max_bytes_each"], at: Self.path + ["max_bytes_each"])
      ?? settings.maxBytesEach
    settings.maxEndedBytes =
      readSize(values["max_ended_bytes"], at: Self.path + ["max_ended_bytes"])
    settings.maxArtifactBytes =
      readSize(values["max_artifact_bytes"], at: Self.path + ["max_artifact_bytes"])
      ?? settings.maxArtifactBytes
    settings.maxSchedules = values["max_schedules"]?.int ?? settings.maxSchedules
    settings.maxScheduleBytes =
      readSize(values["max_schedule_bytes"], at: Self.path + ["max_schedule_bytes"])
      ?? settings.maxScheduleBytes
    settings.ageingMs = Self.milliseconds(values["ageing"]) ?? settings.ageingMs
    settings.keepDays = values["keep_days"]?.double ?? settings.keepDays
    settings.logLines = values["log_lines"]?.int ?? settings.logLines
    settings.allowsShell = values["allow_shell"]?.bool ?? false
    settings.allowsPrivate = values["allow_private"]?.bool ?? false
    settings.python = values["python"]?.string ?? settings.python
    settings.node = values["node"]?.string ?? settings.node
    settings.killAfterMs = Self.milliseconds(values["kill_after"]) ?? settings.killAfterMs
    settings.retry = values["retry"] ?? .null
    settings.timeouts = values["timeouts"] ?? .null
    let types = values["types"]?.object ?? [:]
    settings.types = types.sorted { $0.key < $1.key }.compactMap {
      readType($0.key, value: $0.value, modules: modules, allowsShell: settings.allowsShell)
    }
    return settings
  }

  private mutating func readType(
    _ name: String, value: JSONValue, modules: [ModuleSettings], allowsShell: Bool
  ) -> TaskTypeSettings? {
    let place = Self.path + ["types", name]
    if Self.builtIn.contains(name) {
      add(
        "reserved_name", at: Self.path + ["types"], key: name,
        message: "\"\(name)\" is built in. Choose another name.", expected: "another name",
        found: "\"\(name)\"")
      return nil
    }
    guard let executor = readExecutor(value, modules, at: place, allowsShell: allowsShell) else {
      return nil
    }
    var type = TaskTypeSettings(name: name, executor: executor)
    type.description = value["description"]?.string ?? ""
    type.input = value["input"]
    type.retry = value["retry"] ?? .null
    type.timeouts = value["timeouts"] ?? .null
    type.maxAtOnce = value["max_concurrent"]?.int
    if let input = type.input {
      do {
        _ = try Schema(input)
      } catch {
        add(
          "invalid_schema", at: place + ["input"],
          message: "this isn't a JSON Schema that can be used: \(error)",
          expected: "a JSON Schema")
      }
    }
    return type
  }

  private mutating func readExecutor(
    _ value: JSONValue, _ modules: [ModuleSettings], at place: [String], allowsShell: Bool
  ) -> TaskTypeSettings.Executor? {
    switch value["executor"]?.string {
    case "bots": return .bots
    case "command":
      guard let text = value["run_command"]?.string else { return nil }
      let usesShell = value["shell"]?.bool ?? false
      if usesShell, !allowsShell {
        add(
          "shell_not_allowed", at: place + ["shell"],
          message: "a shell isn't allowed here. Write the command without one, or set "
            + "tasks.allow_shell to true.", expected: "false", found: "true")
      }
      return .command(
        text, usesShell: usesShell,
        secrets: (value["secrets"]?.array ?? []).compactMap(\.string),
        finalCodes: (value["final_codes"]?.array ?? []).compactMap(\.int))
    case "http":
      guard let url = value["url"]?.string else { return nil }
      checkURL(url, at: place + ["url"])
      var request = TaskTypeSettings.Request(url: url)
      request.method = value["method"]?.string ?? request.method
      for (name, field) in value["headers"]?.object ?? [:] { request.headers[name] = field.string }
      request.allowsPrivate = value["allow_private"]?.bool ?? false
      return .http(request)
    case let name?:
      return readAction(name, value: value, modules: modules, at: place + ["executor"])
    case nil: return nil
    }
  }

  /// Reads the module's action that is named as the executor.
  private mutating func readAction(
    _ name: String, value: JSONValue, modules: [ModuleSettings], at place: [String]
  ) -> TaskTypeSettings.Executor? {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    let offers = modules.flatMap { module in
      module.enabledContributions.filter { $0.contribution.kind == .action }
        .map { "\(module.manifest.name)/\($0.contribution.name)" }
    }
    if parts.count == 2, let module = parts.first, let action = parts.last {
      if offers.contains(name) {
        return .action(module, name: action, fixed: value["fixed"]?.object ?? [:])
      }
      if catalog.isBroken(module) { return nil }
    }
    let known = ["command", "http", "bots"] + offers
    let nearest = NameSuggestion.of(name, among: known)
    add(
      "unknown_executor", at: place,
      message: "no executor has the name \"\(name)\"."
        + NameSuggestion.question(
          nearest, otherwise: " Write command, http, bots, or MODULE/ACTION of an enabled module."),
      expected: known.joined(separator: ", "), found: "\"\(name)\"", suggestion: nearest)
    return nil
  }
}
