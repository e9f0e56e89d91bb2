internal import AgentLogging
internal import AgentModules
package import AgentSettings
internal import AgentSupervision
internal import AgentSystem
package import AgentWorkers
internal import Synchronization

/// The effects of a change of the settings on processes.
extension ProcessManager {
  /// The current settings and their plans.
  package var applied: Applied {
    // The plans are read under one lock, so that they belong together.
    let (planned, inProcess) = state.withLock { ($0.planned, Set($0.inProcess.keys)) }
    return Applied(settings: settings, planned: planned, inProcess: inProcess)
  }

  /// Returns the plans for settings that aren't in force yet.
  /// - Throws: `deadlineExceeded` when a file of a module doesn't answer.
  package func planned(by settings: AgentSettings) async throws(HostError) -> Applied {
    let planned = try await FileDeadline.run(or: "Nothing was changed") {
      self.plansByName(for: settings)
    }
    return Applied(
      settings: settings, planned: planned, inProcess: inProcessNames(in: settings))
  }

  /// Adds all plans to the supervisor in one call, because switching threads for each process would
  /// take time and memory. A refused spec is logged, and the others are added.
  func supervise(_ plans: [WorkerPlanner.Planned], by supervisor: isolated Supervisor) {
    for planned in plans {
      do {
        try add(planned, to: supervisor)
      } catch {
        environment.log.log(.error, error.message, source: planned.spec.name)
      }
    }
  }

  /// Adds one process to the supervisor.
  private func add(
    _ planned: WorkerPlanner.Planned, to supervisor: isolated Supervisor
  ) throws(SupervisionError) {
    let name = planned.spec.name
    do throws(SupervisionError) {
      try supervisor.add(planned.spec, channel: channel(for: planned.plan))
    } catch {
      state.withLock { $0.refused[name] = error.message }
      throw error
    }
    // After `add`, which may throw. Otherwise, the next reload would not see that the process is
    // missing.
    state.withLock { state in
      state.planned[name] = planned
      state.refused[name] = nil
    }
  }

  /// Returns the factory for the link of each process that is started for a plan. The supervisor
  /// calls it on the loop's thread.
  func channel(for plan: WorkerPlan) -> WorkerChannelFactory {
    { [registry, services] connection in
      let link = WorkerLink(plan: plan, connection: connection, services: services)
      registry.add(link)
      return link
    }
  }

  /// Returns the plans of every process and module outside the host for these settings.
  func plans(for settings: AgentSettings) -> [WorkerPlanner.Planned] {
    let processes = settings.processes.filter { !isInProcess($0, in: settings) }
    let modules = settings.modules.filter { !$0.enabledContributions.isEmpty }
    return processes.map { planner.plan($0, in: settings) }
      + modules.map { planner.plan($0, in: settings) }
  }

  private func plansByName(for settings: AgentSettings) -> [String: WorkerPlanner.Planned] {
    Dictionary(plans(for: settings).map { ($0.spec.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the names of processes that run inside the host with these settings.
  private func inProcessNames(in settings: AgentSettings) -> Set<String> {
    var names = Set(settings.processes.filter { isInProcess($0, in: settings) }.map(\.name))
    for module in settings.modules where hasInProcessServices(module) {
      names.insert("module:\(module.manifest.name)")
    }
    return names
  }

  func isInProcess(_ process: ProcessSettings, in settings: AgentSettings) -> Bool {
    settings.module(process.module.name)?.isolation == .host && process.module.libraryPath != nil
  }

  func hasInProcessServices(_ module: ModuleSettings) -> Bool {
    module.isolation == .host && module.manifest.libraryPath != nil
      && !module.enabledContributions.isEmpty
  }

  /// Performs one change. Returns the reason if it failed.
  package func perform(
    _ entry: ReloadPlan.Entry, after: Applied, settings: AgentSettings
  ) async -> String? {
    let name = entry.change.process
    do {
      switch entry.change.action {
      case .restartNeeded, .apply: break
      case .stop:
        try await supervisor.stop(name)
        if after.planned[name] == nil {
          // Only processes that the settings no longer contain. A disabled process stays, because a
          // person can start it.
          try await supervisor.remove(name)
          state.withLock { $0.planned[name] = nil }
        } else {
          // The process is stopped and gets its new spec for its next start.
          try await replace(name, after: after, settings: settings)
        }
      case .start:
        // A process that was disabled is supervised already, with its old plan.
        if await isSupervised(name) {
          try await replace(name, after: after, settings: settings)
        } else if let planned = after.planned[name] {
          // A refused spec is the problem of this change.
          try await add(planned, to: supervisor)
        }
        if entry.isWanted { try await start(name, planned: after) }
      case .restart: try await replace(name, after: after, settings: settings)
      }
      return nil
    } catch let error as SupervisionError {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  private func isSupervised(_ name: String) async -> Bool {
    (try? await supervisor.status(name)) != nil
  }

  private func start(_ name: String, planned: Applied) async throws {
    try await supervisor.start(name)
    let limit = startLimit
    let status = try await supervisor.settled(name, within: limit)
    // `settled` reports the failure as a state, but the reload must name it as a problem.
    if case .failed(let reason) = status.state {
      throw HostError(.failed, reason)
    }
    if !status.state.isSettled {
      throw HostError(
        .deadlineExceeded,
        "It isn't ready after \(limit.components.seconds) s, and is retried: it is "
          + "\(ProcessState(status.state).rawValue).\(status.reason.map { " Its last exit: \($0)." } ?? "")"
      )
    }
  }

  private func replace(_ name: String, after: Applied, settings: AgentSettings) async throws {
    guard let planned = after.planned[name] else { return }
    let overlaps = settings.process(name)?.reload == .overlap
    try await supervisor.replace(
      name, with: planned.spec, channel: channel(for: planned.plan), overlaps: overlaps)
    // After the replacement, which may throw. The old worker then continues, and the next reload
    // must see the difference again.
    state.withLock { $0.planned[name] = planned }
  }
}
