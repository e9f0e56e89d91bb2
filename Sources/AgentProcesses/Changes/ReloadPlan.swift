internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentWorkerProtocol
internal import AgentWorkers

/// Settings with their plans.
package struct Applied: Sendable {
  let settings: AgentSettings
  let planned: [String: WorkerPlanner.Planned]
  /// The names of processes that run inside the host and not in a worker.
  let inProcess: Set<String>
}

/// The steps from one version of the settings to another, each with its reason. docs/decisions/0006
/// explains why plans are compared.
package struct ReloadPlan: Sendable {
  package struct Entry: Sendable {
    package var change: ReloadReport.Change
    /// Whether the process should run afterwards.
    let isWanted: Bool

    package init(change: ReloadReport.Change, isWanted: Bool) {
      self.change = change
      self.isWanted = isWanted
    }
  }

  package private(set) var changes: [Entry] = []
  /// The reasons from the difference of the settings. They name the changed keys.
  private let named: [String: SettingsDifference.Change]

  /// Compares the current plans with the new ones. A worker is changed if its own plan differs, for
  /// whatever reason.
  package init(from before: Applied, to after: Applied, refreshing: String?) {
    let difference = SettingsDifference(old: before.settings, new: after.settings)
    named = Dictionary(
      difference.changes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let inside = before.inProcess.union(after.inProcess)
    for name in before.planned.keys.sorted()
    where after.planned[name] == nil && !inside.contains(name) {
      add(name, action: .stop, reason: "it is no longer in the settings", isWanted: false)
    }
    for (name, planned) in after.planned.sorted(by: { $0.key < $1.key })
    where !inside.contains(name) {
      compare(name, planned: planned, before: before, after: after, refreshing: refreshing)
    }
    addInProcess(before: before, after: after, refreshing: refreshing)
    addWhatNoWorkerSees(difference)
  }

  private mutating func compare(
    _ name: String, planned: WorkerPlanner.Planned, before: Applied, after: Applied,
    refreshing: String?
  ) {
    let isWanted = after.settings.process(name)?.enabled ?? false
    let wasWanted = before.settings.process(name)?.enabled ?? false
    guard let old = before.planned[name] else {
      return add(
        name, action: .start, reason: isWanted ? "it is new" : "it is new, and not started yet",
        isWanted: isWanted)
    }
    if wasWanted && !isWanted {
      add(name, action: .stop, reason: "it is disabled now", isWanted: false)
    } else if !wasWanted && isWanted {
      add(name, action: .start, reason: "it is enabled now", isWanted: true)
    } else if let reason = Self.reason(old, planned, refreshing: refreshing) {
      let process = after.settings.process(name)
      // Users of a service start it on demand, and a pool starts its instances.
      let isOnDemand = process == nil || process?.pool != nil
      if isWanted || isOnDemand { add(name, action: .restart, reason: reason, isWanted: isWanted) }
    }
  }

  /// Adds the changes that concern the host itself, such as `logging`.
  private mutating func addWhatNoWorkerSees(_ difference: SettingsDifference) {
    for change in difference.changes where change.action == .apply || change.action == .restartHost
    {
      // The comparison of the plans has already added this change.
      if changes.contains(where: { $0.change.process == change.name }) { continue }
      add(
        change.name, action: change.action == .apply ? .apply : .restartNeeded,
        reason: change.reason,
        isWanted: false)
    }
  }

  private mutating func add(
    _ name: String, action: ReloadReport.Change.Action, reason: String, isWanted: Bool
  ) {
    // The reason from the difference of the settings is more precise, if it means the same action.
    let words = named[name].flatMap { $0.action.rawValue == action.rawValue ? $0.reason : nil }
    changes.append(
      Entry(
        change: ReloadReport.Change(process: name, action: action, reason: words ?? reason),
        isWanted: isWanted))
  }

  /// Returns the reason why a worker must be replaced, or `nil` if its plan is the same.
  private static func reason(
    _ old: WorkerPlanner.Planned, _ new: WorkerPlanner.Planned, refreshing: String?
  ) -> String? {
    // From the most precise reason to the least, because a library that was built again changes
    // several of these. The path of a copy contains its digest.
    if old.plan.load.library != new.plan.load.library { return "its library has changed" }
    if old.plan.load.version != new.plan.load.version { return "its module has a new version" }
    if old.plan.configurations.map(\.contribution) != new.plan.configurations.map(\.contribution) {
      return "what it offers has changed"
    }
    if old.plan.configurations != new.plan.configurations { return "its settings have changed" }
    if old.plan.load != new.plan.load { return "its module's manifest has changed" }
    if old.spec.command != new.spec.command { return "its environment or permissions have changed" }
    if old.spec != new.spec { return "its limits or its supervision have changed" }
    // The code of a command isn't in the plan, so `agent build` names the module.
    if refreshing == new.plan.manifest.name { return "its module was changed" }
    return nil
  }

  /// Adds changes of code inside the host. It can't be replaced while the host runs, and a process
  /// can't move into or out of the host either.
  private mutating func addInProcess(before: Applied, after: Applied, refreshing: String?) {
    for name in before.inProcess.union(after.inProcess).sorted() {
      let isInside = after.inProcess.contains(name)
      let module =
        after.settings.process(name)?.module.name ?? String(name.dropFirst("module:".count))
      let isTouched =
        before.inProcess.contains(name) != isInside || named[name] != nil || refreshing == module
      guard isTouched else { continue }
      add(
        name, action: .restartNeeded,
        reason: isInside
          ? "it runs inside the host: agent restart" : "it leaves the host: agent restart",
        isWanted: after.settings.process(name)?.enabled ?? false)
    }
  }
}
