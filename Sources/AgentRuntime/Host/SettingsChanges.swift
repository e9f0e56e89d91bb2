internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentWorkerProtocol

/// Settings, and what they make of every process.
struct Applied {
  let settings: AgentSettings
  let planned: [String: WorkerPlanner.Planned]
}

/// What has to be done to get from one state of the settings to another, and why.
struct SettingsChanges {
  struct Entry {
    var change: ReloadReport.Change
    /// Whether the process shall run afterwards.
    let isWanted: Bool
  }

  private(set) var changes: [Entry] = []

  init(from before: Applied, to after: Applied, refreshing: String?) {
    for name in before.planned.keys.sorted() where after.planned[name] == nil {
      add(name, .stop, "it is no longer in the settings", isWanted: false)
    }
    for (name, planned) in after.planned.sorted(by: { $0.key < $1.key }) {
      let isWanted = after.settings.process(name)?.enabled ?? false
      guard let old = before.planned[name] else {
        add(name, .start, isWanted ? "it is new" : "it is new, and not started yet", isWanted: isWanted)
        continue
      }
      let wasWanted = before.settings.process(name)?.enabled ?? false
      let isService = after.settings.process(name) == nil
      if wasWanted && !isWanted {
        add(name, .stop, "it is disabled now", isWanted: false)
      } else if !wasWanted && isWanted {
        add(name, .start, "it is enabled now", isWanted: true)
      } else if let reason = Self.reason(old, planned, refreshing: refreshing) {
        if isWanted || isService { add(name, .restart, reason, isWanted: isWanted) }
      }
    }
    addInProcess(before, after, refreshing)
  }

  private mutating func add(
    _ name: String, _ action: ReloadReport.Change.Action, _ reason: String, isWanted: Bool
  ) {
    changes.append(
      Entry(
        change: ReloadReport.Change(process: name, action: action, reason: reason),
        isWanted: isWanted))
  }

  /// Why a worker has to be replaced; nil when nothing that it knows of has changed.
  private static func reason(
    _ old: WorkerPlanner.Planned, _ new: WorkerPlanner.Planned, refreshing: String?
  ) -> String? {
    if old.plan.load.library != new.plan.load.library { return "its library has changed" }
    if old.plan.load.version != new.plan.load.version { return "its module has a new version" }
    if old.plan.configurations.map(\.contribution) != new.plan.configurations.map(\.contribution) {
      return "what it offers has changed"
    }
    if old.plan.configurations != new.plan.configurations { return "its settings have changed" }
    if old.plan.load != new.plan.load { return "its module's manifest has changed" }
    if old.spec.command != new.spec.command { return "its environment or permissions have changed" }
    if old.spec != new.spec { return "its limits or its supervision have changed" }
    if refreshing == new.plan.manifest.name { return "its module was changed" }
    return nil
  }

  /// Code that runs inside the host can't be swapped.
  private mutating func addInProcess(_ before: Applied, _ after: Applied, _ refreshing: String?) {
    for process in after.settings.processes where after.planned[process.name] == nil {
      let old = before.settings.process(process.name)
      let isSame =
        old.map {
          $0.enabled == process.enabled && $0.settings == process.settings
            && $0.module.version == process.module.version
        } ?? false
      if isSame, refreshing != process.module.name { continue }
      add(
        process.name, .restartNeeded, "it runs inside the host: agent restart",
        isWanted: process.enabled)
    }
  }
}
