internal import AgentBots
internal import AgentDiagnostics
internal import AgentLogging
internal import AgentModules
package import AgentProcesses
internal import AgentSettings
internal import AgentSystem
internal import AgentTasks
package import AgentWorkers
internal import Synchronization

extension HostApplication {
  /// Reads settings and manifests anew and applies what has changed: everything is checked first,
  /// only what the change touches is restarted. A process whose new worker doesn't get ready goes
  /// on with its old one, and the report says why.
  /// - Parameter dryRun: only says what would be done, and why.
  package func reload(dryRun: Bool) async throws(HostError) -> ReloadReport {
    try await queued("a reload") { host in
      if !dryRun { host.parts.notifier.reloading() }
      // In any case, also after an error: systemd waits for READY=1 after RELOADING=1.
      defer {
        if !dryRun {
          host.parts.notifier.ready(status: HostStatus.line(host.settings, host.start.safeMode))
        }
      }
      return try await host.apply(try await host.read(), dryRun: dryRun)
    }
  }

  /// Replaces the workers of one module whose library or files have changed.
  package func reloadModule(_ name: String) async throws(HostError) -> ReloadReport {
    guard settings.module(name) != nil else {
      throw HostError(.notFound, "No module \"\(name)\" is enabled.")
    }
    return try await queued("a reload of the module \(name)") { host in
      try await host.apply(try await host.read(), dryRun: false, refreshing: name)
    }
  }

  /// The settings as they are in the file now.
  private func read() async throws(HostError) -> SettingsResult {
    try await FileDeadline.run(or: Self.unchanged) { [folder] in
      SettingsFile.load(folder, options: .init(strict: true))
    }
  }

  /// Begins the message of a change that can't use its files.
  static let unchanged = "Nothing was changed"

  /// Makes a change once those before it are done. Throws `notReady` while the host starts and
  /// `stopping` once it ends.
  /// - Parameter what: the change in words, for the message to those who wait behind it.
  func queued(
    _ what: String, _ change: @escaping @Sendable (HostApplication) async throws -> ReloadReport
  ) async throws(HostError) -> ReloadReport {
    // Until the host is open a change would compare with plans that aren't there yet.
    guard lifecycle.takesChanges || lifecycle.isEnding else {
      throw HostError(.notReady, "The agent is still starting; try again in a moment.")
    }
    if lifecycle.isEnding { throw HostError(.stopping, "The agent is stopping.") }
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
    let before = processes.applied
    let after = try await processes.planned(by: settings)
    var changes = ReloadPlan(from: before, to: after, refreshing: refreshing).changes
    if let problem = try await ports.problem(with: settings) {
      // The port itself keeps its former settings.
      if let index = changes.firstIndex(where: { $0.change.process == "http" }) {
        changes[index].change.problem = problem
      } else {
        let change = ReloadReport.Change(
          process: "http", action: .apply, reason: "Its certificate is read anew.",
          problem: problem)
        changes.append(ReloadPlan.Entry(change: change, isWanted: false))
      }
    }
    guard !dryRun else {
      return ReloadReport(isDryRun: true, changes: changes.map(\.change), warnings: warnings)
    }
    // Before anything is performed: nothing runs in safe mode that could be restarted.
    if start.safeMode != nil {
      return await adoptSafely(settings, result: result, warnings: warnings)
    }
    // Before the workers are replaced: what a new worker asks of the host is answered by the
    // settings that it was started with.
    currentSettings.set(settings)
    adopt(settings)
    await writeSchemasInTime(of: result)
    await adopt(settings.access)
    await database.limit(bytes: Int64(settings.store.maxBytes))
    for index in changes.indices {
      if changes[index].change.problem != nil { continue }
      // Its time is over, and others wait behind it.
      let problem =
        Task.isCancelled
        ? "It was skipped, since the change took too long. \"agent reload\" continues it."
        : await processes.perform(changes[index], after: after, settings: settings)
      changes[index].change.problem = problem.map(settings.redactor.redact)
    }
    // Only now, because a pool starts instances, whose processes `perform` has added.
    work.applyPools(settings)
    // Awaited, so that the tokens of removed bots are revoked when the reload says that it is
    // done.
    await bots.endGone()
    telemetry.modules.keep(StateAccess.names(in: settings))
    return ReloadReport(isDryRun: false, changes: changes.map(\.change), warnings: warnings)
  }

  /// In safe mode settings are adopted as far as nothing runs for it.
  private func adoptSafely(
    _ settings: AgentSettings, result: SettingsResult, warnings: [String]
  ) async -> ReloadReport {
    currentSettings.set(settings)
    log.configure(Self.configuration(settings, folder: folder, options: parts.options))
    log.redact { [redactor = settings.redactor] in redactor.redact($0) }
    currentSettings.announce()
    await adopt(settings.access)
    await writeSchemasInTime(of: result)
    let note = "The agent runs in safe mode. The settings take effect after \"agent restart\"."
    return ReloadReport(isDryRun: false, changes: [], warnings: warnings + [note])
  }

  private func adopt(_ settings: AgentSettings) {
    // The log first: what the following steps say is written by the new settings, without the new
    // secrets.
    log.configure(Self.configuration(settings, folder: folder, options: parts.options))
    log.redact { [redactor = settings.redactor] in redactor.redact($0) }
    telemetry.apply(settings)
    hostEvents.forwardLog(of: settings)
    currentSettings.announce()
    notificationService.apply(settings)
    work.apply(settings)
  }

  /// Writes the schemas for editors. They aren't needed, so the change goes on without them.
  private func writeSchemasInTime(of result: SettingsResult) async {
    do {
      try await FileDeadline.run(or: "The schemas for editors weren't written") {
        self.writeSchemas(of: result)
      }
    } catch {
      log.log(.warning, error.message)
    }
  }
}
