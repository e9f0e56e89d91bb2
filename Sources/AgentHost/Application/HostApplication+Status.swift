package import AgentAssignment
internal import AgentDiagnostics
internal import AgentEvents
package import AgentJSON
internal import AgentModules
internal import AgentProcesses
internal import AgentSettings
internal import AgentStore
internal import AgentSystem
package import AgentWorkers
internal import AgentTasks
internal import Glibc

/// What the host shows of itself.
extension HostApplication {
  /// The state of the host, its processes and its ports, as `agent status` shows it.
  package func status() async -> HostStatus {
    let processes = await processes.reports()
    let change = await changes.underWay
    let settings = settings
    return HostStatus(
      agent: settings.agent.name, version: SemanticVersion.host.description,
      folder: folder.path, pid: getpid(), startedAt: start.at, socket: folder.socket,
      url: ports.baseURL, isReady: lifecycle.isReady,
      database: DatabaseReport(database.condition), processes: processes,
      listeners: ports.reports, held: held.json, stored: stored,
      safeMode: start.safeMode,
      change: change.map { ChangeReport(what: $0.what, since: $0.since) })
  }

  private var stored: JSONValue {
    let sizes = work.tasks.storedBytes
    let part = { (size: (bytes: Int64, max: Int64)) in
      HeldMemory.Part(bytes: Int(clamping: size.bytes), maxBytes: Int(clamping: size.max)).json
    }
    return ["artifacts": part(sizes.artifacts), "ended_tasks": part(sizes.endedTasks)]
  }

  /// The features that the settings make available, as `agent features` shows them.
  package func features() async throws(HostError) -> JSONValue {
    try await FileDeadline.run(or: Self.unread) { [folder] in
      FeatureReport(SettingsFile.load(folder)).json
    }
  }

  /// The enabled modules, and those that could be.
  package func modules() async -> JSONValue {
    let settings = settings
    let permissions = PermissionText(
      enabled: settings.modules.map(\.manifest), agent: folder.path)
    let enabled = settings.modules.map { module in
      ModuleText.json(
        module.manifest, isEnabled: true, isolation: module.isolation.rawValue,
        permissions: permissions)
    }
    let others = settings.catalog.installedModules.compactMap(\.manifest).filter {
      settings.module($0.name) == nil
    }
    return [
      "modules": .array(
        enabled
          + others.map {
            ModuleText.json(
              $0, isEnabled: false, isolation: "worker", permissions: permissions)
          })
    ]
  }

  /// Checks a bot's webhook and returns the problem as a sentence; nil when there is none.
  package func problem(with webhook: BotWebhook) -> String? {
    BotCaller(settings).problem(with: webhook)
  }

  // MARK: The state of processes

  /// The state that processes keep, for people.
  /// - Throws: `notReady` while the database isn't open.
  package func keptState() throws(HostError) -> StateAccess {
    StateAccess(
      store: TracedStore(try database.openStore(), tracer),
      names: StateAccess.names(in: settings))
  }

  /// Forgets an owner's state as if it had never kept anything, unless it has a worker, which may
  /// count on the versions that it has read.
  /// - Returns: `keys` and `bytes`, how much it was.
  package func forgetState(of owner: String) async throws(HostError) -> JSONValue {
    // By its state and not by its link: a worker that is STARTING has read versions, or is about
    // to.
    let state = await processes.reports().first { $0.name == owner }?.state
    if let state, state.hasWorker {
      let remedy =
        owner.hasPrefix("module:")
        ? "Stop the agent, and try again" : "Stop it first: agent process stop \(owner)"
      throw HostError(
        .conflict, "\(owner) is \(state.rawValue) and uses its state. \(remedy).")
    }
    return try await keptState().forget(owner)
  }
}
