internal import AgentLogging
internal import AgentModules
package import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentWorkers
internal import Synchronization

/// What a change of the settings does to processes.
extension ProcessManager {
  /// The settings in force, and the plans that they made.
  package var applied: Applied {
    // Plans are read in one go, so that they belong together.
    let (planned, inProcess) = state.withLock { ($0.planned, Set($0.inProcess.keys)) }
    return Applied(settings: settings, planned: planned, inProcess: inProcess)
  }

  /// Settings that aren't in force yet, and the plans that they make.
  package func planned(by settings: AgentSettings) async -> Applied {
    Applied(
      settings: settings, planned: await FileWork.run { self.plansByName(for: settings) },
      inProcess: inProcessNames(in: settings))
  }

  /// Adds what was planned to what is supervised, all in one call to the supervisor: hops between
  /// its thread and others cost time and memory for each process. A spec that is refused is logged,
  /// and the others are added.
  func supervise(_ plans: [WorkerPlanner.Planned], by supervisor: isolated Supervisor) {
    for planned in plans {
      do {
        try add(planned, to: supervisor)
      } catch {
        environment.log.log(.error, error.message, source: planned.spec.name)
      }
    }
  }

  /// Adds one process to what is supervised.
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
    // After `add`, which may throw: the next reload compares with this plan, and has to see that
    // the process isn't there.
    state.withLock { state in
      state.planned[name] = planned
      state.refused[name] = nil
    }
  }

  /// Makes the link of each process that is started for a plan. The supervisor calls it on the
  /// loop's thread.
  func channel(for plan: WorkerPlan) -> WorkerChannelFactory {
    { [registry, services] connection in
      let link = WorkerLink(plan: plan, connection: connection, services: services)
      registry.add(link)
      return link
    }
  }

  /// The plans that these settings make for every process and module outside the host.
  func plans(for settings: AgentSettings) -> [WorkerPlanner.Planned] {
    let processes = settings.processes.filter { !isInProcess($0, in: settings) }
    let modules = settings.modules.filter { !$0.enabledContributions.isEmpty }
    return processes.map { planner.plan($0, in: settings) }
      + modules.map { planner.plan($0, in: settings) }
  }

  private func plansByName(for settings: AgentSettings) -> [String: WorkerPlanner.Planned] {
    Dictionary(plans(for: settings).map { ($0.spec.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// The names that these settings run inside the host.
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

  /// Does one change; returns why it could not be done.
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
          // Only what the settings no longer have. A process that is disabled can be started by
          // hand.
          try await supervisor.remove(name)
          state.withLock { $0.planned[name] = nil }
        } else {
          // It is stopped, and gets its new spec for when somebody starts it.
          try await replace(name, after: after, settings: settings)
        }
      case .start:
        // A process that was disabled is supervised already, by its old plan.
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
    // After the replacement, which may throw: the old worker goes on then, and the next reload
    // has to see the difference again.
    state.withLock { $0.planned[name] = planned }
  }
}
