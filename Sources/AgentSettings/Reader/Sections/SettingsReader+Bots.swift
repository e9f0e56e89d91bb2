import AgentAssignment
import AgentJSON
import AgentModules
import AgentText
import JSONSchema

/// Reads `bots`. The schema has reported values of the wrong type. This code checks the rules
/// between values.
extension SettingsReader {
  private static let path = ["bots"]

  mutating func readBots(
    _ modules: [ModuleSettings], _ processes: [ProcessSettings]
  ) -> BotSettings {
    var settings = BotSettings()
    guard let values = root["bots"] else { return settings }
    func set(_ path: WritableKeyPath<BotSettings, Int64>, _ key: String) {
      if let value = Self.milliseconds(values[key]) { settings[keyPath: path] = max(1, value) }
    }
    set(\.answerWithinMs, "answer_within")
    set(\.leaseMs, "lease")
    set(\.heartbeatTimeoutMs, "heartbeat_timeout")
    settings.max = values["max"]?.int ?? settings.max
    settings.allowsPrivate = values["allow_private"]?.bool ?? false
    settings.types = readBotTypes(values["types"]?.array ?? [])
    if let name = values["strategy"]?.string {
      settings.strategy = readStrategy(name, modules) ?? settings.strategy
    }
    let local = values["local"]?.object ?? [:]
    settings.local = local.sorted { $0.key < $1.key }.compactMap { name, value in
      readLocalBot(
        name, value: value, types: settings.types, modules: modules, processes: processes)
    }
    checkOnePerProcess(settings.local)
    settings.pools = readPools(settings.local, processes)
    return settings
  }

  private mutating func readBotTypes(_ values: [JSONValue]) -> [String] {
    let builtIn = BotType.builtIn.map(\.name)
    var types: [String] = []
    for (index, value) in values.enumerated() {
      guard let name = value.string else { continue }
      if builtIn.contains(name) {
        add(
          "reserved_name", at: Self.path + ["types", String(index)],
          message: "\"\(name)\" is built in. Leave it out, or choose another name.",
          expected: "another name", found: "\"\(name)\"")
      } else if !types.contains(name) {
        types.append(name)
      }
    }
    return types
  }

  private mutating func readStrategy(_ name: String, _ modules: [ModuleSettings]) -> String? {
    let custom = modules.flatMap { module in
      module.enabledContributions.filter { $0.contribution.kind == .strategy }
        .map { "\(module.manifest.name)/\($0.contribution.name)" }
    }
    do throws(AssignmentProblem) {
      return try AssignmentStrategy(named: name, custom: custom).name
    } catch {
      if catalog.isBroken(String(name.prefix { $0 != "/" })) { return nil }
      let known = AssignmentStrategy.builtIn.map(\.name) + custom
      add(
        "unknown_strategy", at: Self.path + ["strategy"], message: error.message,
        expected: known.joined(separator: ", "), found: "\"\(name)\"",
        suggestion: error.suggestion)
      return nil
    }
  }

  // MARK: Bots of the agent's own

  private mutating func readLocalBot(
    _ name: String, value: JSONValue, types: [String], modules: [ModuleSettings],
    processes: [ProcessSettings]
  ) -> LocalBotSettings? {
    let place = Self.path + ["local", name]
    guard var members = value.object, let action = members["action"]?.string else { return nil }
    let process = members["process"]?.string
    (members["action"], members["process"]) = (nil, nil)
    members["name"] = members["name"] ?? .string(name)
    let definition = readBot(.object(members), types: types, at: place)
    guard let module = readBotAction(action, modules, at: place + ["action"]) else { return nil }
    if let process {
      checkProcess(
        process, of: module, action: action, modules: modules, processes: processes,
        at: place + ["process"])
    }
    guard let definition else { return nil }
    if definition.type == .user {
      add(
        "invalid_value", at: place + ["bot_type"],
        message: "a user is a person, and this bot is an action. Register people with "
          + "\"agent bot register\".", expected: "another type", found: "\"user\"")
    }
    return LocalBotSettings(
      name: name, definition: definition, module: module,
      action: String(action.dropFirst(module.count + 1)), process: process)
  }

  /// Refuses two local bots in one process, because an instance of a pool is one bot.
  private mutating func checkOnePerProcess(_ local: [LocalBotSettings]) {
    var bots: [String: String] = [:]
    for bot in local {
      guard let process = bot.process else { continue }
      if let other = bots[process] {
        add(
          "duplicate_process", at: Self.path + ["local", bot.name, "process"],
          message: "the bot \"\(other)\" works in this process already. Give that one another "
            + "capability, or this one another process.", found: "\"\(process)\"")
      }
      bots[process] = bots[process] ?? bot.name
    }
  }

  private mutating func readBot(
    _ value: JSONValue, types: [String], at place: [String]
  ) -> BotDefinition? {
    do throws(AssignmentProblems) {
      return try BotDefinitionReader(customTypes: types).read(JSONDocument(value).root)
    } catch {
      // The schema has reported the other problems already.
      for problem in error.problems
      where problem.code == .unknownName || problem.code == .duplicate {
        add(
          problem.code.rawValue, at: place + problem.pointer.tokens, message: problem.message,
          suggestion: problem.suggestion)
      }
      return nil
    }
  }

  /// - Returns: the module that offers the action.
  private mutating func readBotAction(
    _ name: String, _ modules: [ModuleSettings], at place: [String]
  ) -> String? {
    let offers = modules.flatMap { module in
      module.enabledContributions.filter { $0.contribution.kind == .action }
        .map { "\(module.manifest.name)/\($0.contribution.name)" }
    }
    let module = String(name.prefix { $0 != "/" })
    if offers.contains(name) { return module }
    if catalog.isBroken(module) { return nil }
    let nearest = NameSuggestion.of(name, among: offers)
    add(
      "unknown_action", at: place,
      message: "no enabled module offers an action \"\(name)\"."
        + NameSuggestion.question(nearest, otherwise: " Write MODULE/ACTION."),
      expected: "MODULE/ACTION of an enabled module", found: "\"\(name)\"", suggestion: nearest)
    return nil
  }

  /// Checks that a process's worker can run the action.
  private mutating func checkProcess(
    _ process: String, of module: String, action: String, modules: [ModuleSettings],
    processes: [ProcessSettings], at place: [String]
  ) {
    guard let found = processes.first(where: { $0.name == process }) else {
      // A process that is missing here has a problem of its own, which is reported.
      if root["processes"]?[process] != nil { return }
      let nearest = NameSuggestion.of(process, among: processes.map(\.name))
      return add(
        "unknown_process", at: place,
        message: "there is no process \"\(process)\"."
          + NameSuggestion.question(nearest),
        expected: "a process of these settings", found: "\"\(process)\"", suggestion: nearest)
    }
    if found.module.name != module {
      return add(
        "wrong_module", at: place,
        message: "\"\(process)\" is a process of the module \(found.module.name), which doesn't "
          + "have the action \"\(action)\". Name a process of the module \(module), or leave it out.",
        expected: "a process of the module \(module)", found: "\"\(process)\"")
    }
    if modules.first(where: { $0.manifest.name == module })?.isolation == .host {
      add(
        "wrong_isolation", at: place,
        message: "\"\(process)\" runs inside the host and has no worker of its "
          + "own. Leave it out: the module's service worker is used.",
        expected: "a process with a worker", found: "\"\(process)\"")
    }
  }
}
