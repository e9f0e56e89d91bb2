import AgentJSON
import AgentModules

/// Finds the differences between two settings.
struct SettingsComparison {
  let old: AgentSettings
  let new: AgentSettings
  private(set) var changes: [SettingsDifference.Change] = []

  init(old: AgentSettings, new: AgentSettings) {
    self.old = old
    self.new = new
  }

  private mutating func add(
    _ name: String, _ action: SettingsDifference.Action, reason: String
  ) {
    changes.append(.init(name: name, action: action, reason: reason))
  }

  // MARK: Processes

  mutating func compareProcesses() {
    for process in old.processes where new.process(process.name) == nil && process.enabled {
      add(process.name, .stop, reason: "It was removed from the settings.")
    }
    for process in new.processes {
      guard let before = old.process(process.name) else {
        if process.enabled { add(process.name, .start, reason: "It is new.") }
        continue
      }
      compare(before, process)
    }
  }

  private mutating func compare(_ before: ProcessSettings, _ after: ProcessSettings) {
    switch (before.enabled, after.enabled) {
    case (false, false): return
    case (true, false): add(after.name, .stop, reason: "It was disabled.")
    case (false, true): add(after.name, .start, reason: "It was enabled.")
    case (true, true): compareRunning(before, after)
    }
  }

  private mutating func compareRunning(_ before: ProcessSettings, _ after: ProcessSettings) {
    let reasons = restartReasons(before, after)
    if !reasons.isEmpty {
      let inHost = [old.module(before.module.name), new.module(after.module.name)]
        .contains { $0?.isolation == .host }
      return add(
        after.name, inHost ? .restartHost : .restart, reason: reasons.joined(separator: " "))
    }
    if before.restart != after.restart || before.reload != after.reload {
      add(after.name, .apply, reason: "Its restart or reload policy changed.")
    }
  }

  private func restartReasons(_ before: ProcessSettings, _ after: ProcessSettings) -> [String] {
    var reasons: [String] = []
    if before.module.name != after.module.name
      || before.contribution.name != after.contribution.name
    {
      reasons.append("Its type changed.")
    } else {
      reasons += moduleReasons(before.module, after.module)
    }
    let keys = Self.changedKeys(before.settings, after.settings)
    if !keys.isEmpty { reasons.append("Its settings changed: \(Self.list(keys)).") }
    if before.environment != after.environment { reasons.append("Its environment changed.") }
    if before.limits != after.limits { reasons.append("Its limits changed.") }
    if before.sandbox != after.sandbox { reasons.append("Its sandbox changed.") }
    if old.module(before.module.name)?.isolation != new.module(after.module.name)?.isolation {
      reasons.append("Its module's isolation changed.")
    }
    return reasons
  }

  private func moduleReasons(_ before: Manifest, _ after: Manifest) -> [String] {
    if before.version != after.version {
      return ["Its module went from \(before.version) to \(after.version)."]
    }
    if before.directory != after.directory { return ["Its module is in another folder."] }
    if before.document.bytes != after.document.bytes { return ["Its module's manifest changed."] }
    return before.permissions == after.permissions ? [] : ["Its module's permissions changed."]
  }

  // MARK: Modules

  mutating func compareModules() {
    for module in old.modules where new.module(module.manifest.name) == nil {
      addService(module, .stop, reason: "The module isn't enabled any more.")
    }
    for module in new.modules {
      guard let before = old.module(module.manifest.name) else {
        addService(module, .start, reason: "The module was enabled.")
        continue
      }
      let reasons = serviceReasons(before, module)
      if reasons.isEmpty { continue }
      if before.enabledContributions.isEmpty && module.enabledContributions.isEmpty { continue }
      let inHost = before.isolation == .host || module.isolation == .host
      add(
        Self.service(module), inHost ? .restartHost : .restart,
        reason: reasons.joined(separator: " "))
    }
  }

  private static func service(_ module: ModuleSettings) -> String {
    "module:" + module.manifest.name
  }

  private mutating func addService(
    _ module: ModuleSettings, _ action: SettingsDifference.Action, reason: String
  ) {
    if module.enabledContributions.isEmpty { return }
    add(Self.service(module), action, reason: reason)
  }

  private func serviceReasons(_ before: ModuleSettings, _ after: ModuleSettings) -> [String] {
    var reasons = moduleReasons(before.manifest, after.manifest)
    if before.isolation != after.isolation { reasons.append("Its isolation changed.") }
    if before.limits != after.limits { reasons.append("Its limits changed.") }
    if before.sandbox != after.sandbox { reasons.append("Its sandbox changed.") }
    if before.environment != after.environment { reasons.append("Its environment changed.") }
    func states(_ module: ModuleSettings) -> [String: JSONValue] {
      Dictionary(
        module.enabledContributions.map {
          ("\($0.contribution.kind.noun) \($0.contribution.name)", $0.settings)
        }, uniquingKeysWith: { first, _ in first })
    }
    let (was, now) = (states(before), states(after))
    let names = Set(was.keys).union(now.keys).filter { was[$0] != now[$0] }.sorted()
    if !names.isEmpty { reasons.append("Changed: \(Self.list(names)).") }
    return reasons
  }

  // MARK: The host

  mutating func compareHost() {
    if old.logging != new.logging {
      add("logging", .apply, reason: "The logging settings changed.")
    }
    if old.supervision != new.supervision {
      add("supervision", .apply, reason: "The supervision settings changed.")
    }
    if old.http != new.http {
      add("http", .apply, reason: "The settings of the API's port changed.")
    }
    if let reason = eventsReason() { add("events", .apply, reason: reason) }
    if old.store != new.store { add("store", .apply, reason: "The limit of the database changed.") }
    if old.access != new.access { add("access", .apply, reason: "The access settings changed.") }
    if old.notifications != new.notifications {
      add("notifications", .apply, reason: "The notification settings changed.")
    }
    if old.tasks != new.tasks { add("tasks", .apply, reason: "The settings of tasks changed.") }
    if taskTypes(old) != taskTypes(new) {
      add("modules", .apply, reason: "The modules' permissions for tasks changed.")
    }
    if old.bots != new.bots { add("bots", .apply, reason: "The settings of bots changed.") }
    if old.traces != new.traces { add("traces", .apply, reason: "The settings of traces changed.") }
    if old.schedules != new.schedules { add("schedules", .apply, reason: "The schedules changed.") }
    if old.agent != new.agent {
      add("agent", .apply, reason: "The agent's name or description changed.")
    }
  }

  /// Returns the built-in types of tasks that each module may use.
  private func taskTypes(_ settings: AgentSettings) -> [String: Set<String>] {
    Dictionary(
      settings.modules.map { ($0.manifest.name, Set($0.taskTypes)) }, uniquingKeysWith: { $1 }
    ).filter { !$0.value.isEmpty }
  }

  private func eventsReason() -> String? {
    if old.events == new.events { return nil }
    let portChanged = old.events.tcp != new.events.tcp
    let isPortOnly =
      old.events.retention == new.events.retention && old.events.types == new.events.types
    if isPortOnly { return "The port for events changed." }
    return "The retention of events changed." + (portChanged ? " The port changed too." : "")
  }

  // MARK: Keys

  /// Returns the dotted paths of all differences. It descends as far as both sides are objects.
  static func changedKeys(_ old: JSONValue, _ new: JSONValue, at path: JSONPointer = .root)
    -> [String]
  {
    if old == new { return [] }
    guard case .object(let before) = old, case .object(let after) = new else {
      return [path.dotted]
    }
    let keys = after.keys + before.keys.filter { after[$0] == nil }
    return keys.flatMap { key -> [String] in
      let pointer = path.appending(key)
      guard let was = before[key], let now = after[key] else {
        return before[key] == after[key] ? [] : [pointer.dotted]
      }
      return changedKeys(was, now, at: pointer)
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(5).joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }
}
