internal import AgentBots
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentTasks
package import AgentWorkers
internal import JSONSchema
internal import Synchronization

extension HostApplication {
  /// Reads settings and manifests anew and applies what has changed: everything is checked first,
  /// only what the change touches is restarted. A process whose new worker doesn't get ready goes
  /// on with its old one, and the report says why.
  /// - Parameter dryRun: only says what would be done, and why.
  package func reload(dryRun: Bool) async throws(HostError) -> ReloadReport {
    try await queued("a reload") { host in
      if !dryRun { host.notifier.reloading() }
      // In any case, also after an error: systemd waits for READY=1 after RELOADING=1.
      defer { if !dryRun { host.notifier.ready(status: host.statusLine) } }
      return try await host.apply(await host.read(), dryRun: dryRun)
    }
  }

  /// Replaces the workers of one module whose library or files have changed.
  package func reloadModule(_ name: String) async throws(HostError) -> ReloadReport {
    guard settings.module(name) != nil else {
      throw HostError(.notFound, "No module \"\(name)\" is enabled.")
    }
    return try await queued("a reload of the module \(name)") { host in
      try await host.apply(await host.read(), dryRun: false, refreshing: name)
    }
  }

  /// The settings as they are in the file now.
  private func read() async -> SettingsResult {
    await FileWork.run { [folder] in SettingsFile.load(folder, options: .init(strict: true)) }
  }

  /// Makes a change once those before it are done. Throws `notReady` while the host starts and
  /// `stopping` once it ends.
  /// - Parameter what: the change in words, for the message to those who wait behind it.
  func queued(
    _ what: String, _ change: @escaping @Sendable (HostApplication) async throws -> ReloadReport
  ) async throws(HostError) -> ReloadReport {
    // Until the host is open a change would compare with plans that aren't there yet.
    guard state.withLock({ $0.takesChanges }) else {
      throw HostError(.notReady, "The agent is still starting; try again in a moment.")
    }
    if isEnding { throw HostError(.stopping, "The agent is stopping.") }
    do {
      return try await changes.run(what) { try await change(self) }
    } catch let error as HostError {
      throw error
    } catch {
      throw HostError(.failed, "\(error)")
    }
  }

  /// Applies settings that were read, when they have no error.
  /// - Parameter refreshing: a module whose workers are replaced whatever has changed; what its
  ///   command runs isn't seen in the manifest.
  func apply(
    _ result: SettingsResult, dryRun: Bool, refreshing: String? = nil
  ) async throws -> ReloadReport {
    let settings = try Self.accepted(result)
    let warnings = result.problems.filter { $0.severity == .warning }.map(\.description)
    // Settings and plans are read in one visit, so that they belong together.
    let before = state.withLock { state in
      Applied(
        settings: state.settings, planned: state.planned, inProcess: Set(state.inProcess.keys))
    }
    let after = Applied(
      settings: settings, planned: await FileWork.run { self.plansByName(for: settings) },
      inProcess: inProcessNames(in: settings))
    var changes = ReloadPlan(from: before, to: after, refreshing: refreshing).changes
    guard !dryRun else {
      return ReloadReport(isDryRun: true, changes: changes.map(\.change), warnings: warnings)
    }
    // Before anything is performed: nothing runs in safe mode that could be restarted.
    if safeMode != nil { return await adoptSafely(settings, result, warnings) }
    // Before the workers are replaced: what a new worker asks of the host is answered by the
    // settings that it was started with.
    state.withLock { $0.settings = settings }
    adopt(settings, result)
    await adopt(settings.access)
    await limitStore(by: settings)
    for index in changes.indices {
      // Its time is over, and others wait behind it.
      let problem =
        Task.isCancelled
        ? "It was skipped, since the change took too long. \"agent reload\" continues it."
        : await perform(changes[index], after, settings)
      changes[index].change.problem = problem.map(settings.redactor.redact)
    }
    // Only now, because a pool starts instances, whose processes `perform` has added.
    planPools(by: settings)
    // Awaited, so that the tokens of removed bots are revoked when the reload says that it is
    // done.
    await bots.endGone()
    moduleMetrics.keep(StateAccess.names(in: settings))
    return ReloadReport(isDryRun: false, changes: changes.map(\.change), warnings: warnings)
  }

  /// In safe mode settings are adopted as far as nothing runs for it.
  private func adoptSafely(
    _ settings: AgentSettings, _ result: SettingsResult, _ warnings: [String]
  ) async -> ReloadReport {
    state.withLock { $0.settings = settings }
    log.configure(Self.configuration(settings, folder: folder, options: options))
    log.redact { [redactor = settings.redactor] in redactor.redact($0) }
    announce(settings)
    await adopt(settings.access)
    writeSchemas(of: result)
    let note = "The agent runs in safe mode. The settings take effect after \"agent restart\"."
    return ReloadReport(isDryRun: false, changes: [], warnings: warnings + [note])
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

  private func adopt(_ settings: AgentSettings, _ result: SettingsResult) {
    // The log first: what the following steps say is written by the new settings, without the new
    // secrets.
    log.configure(Self.configuration(settings, folder: folder, options: options))
    log.redact { [redactor = settings.redactor] in redactor.redact($0) }
    moduleMetrics.redact { [redactor = settings.redactor] in redactor.redact($0) }
    forwardLog(of: settings)
    trace(settings)
    announce(settings)
    notify(by: settings)
    planTasks(by: settings)
    schedule(by: settings)
    writeSchemas(of: result)
  }

  private func writeSchemas(of result: SettingsResult) {
    do {
      try folder.writeSchemas(settings: result.composedSchema)
    } catch {
      log.log(.warning, error.description)
    }
  }

  /// Does one change; gives back why it could not be done.
  private func perform(
    _ entry: ReloadPlan.Entry, _ after: Applied, _ settings: AgentSettings
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
          try await replace(name, after, settings)
        }
      case .start:
        // A process that was disabled is supervised already, by its old plan.
        if await isSupervised(name) {
          try await replace(name, after, settings)
        } else if let planned = after.planned[name] {
          // What is wrong is the problem of this change.
          try await add(planned, to: supervisor)
        }
        if entry.isWanted { try await start(name, planned: after) }
      case .restart: try await replace(name, after, settings)
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
          + "\(status.state.word).\(status.reason.map { " Its last exit: \($0)." } ?? "")")
    }
  }

  private func replace(_ name: String, _ after: Applied, _ settings: AgentSettings) async throws {
    guard let planned = after.planned[name] else { return }
    let overlaps = settings.process(name)?.reload == .overlap
    try await supervisor.replace(
      name, with: planned.spec, channel: channel(for: planned.plan), overlaps: overlaps)
    // After the replacement, which may throw: the old worker goes on then, and the next reload
    // has to see the difference again.
    state.withLock { $0.planned[name] = planned }
  }
}
