package import AgentDiagnostics
internal import AgentLogging
internal import AgentModules
internal import AgentProcesses
internal import AgentSettings
internal import AgentStore
internal import AgentSystem
internal import AgentWorkers
internal import Synchronization

/// `get_health`: the health of the host and its parts, and since when each is as it is.
package final class HealthMonitor: Sendable {
  /// How often the parts are looked at when nobody asks, so that `since` is right.
  private static let interval = Duration.seconds(10)

  /// The parts that have a health.
  struct Parts: Sendable {
    let start: HostStart
    let lifecycle: HostLifecycle
    let settings: CurrentSettings
    let database: HostDatabase
    let retention: EventRetention
    let log: LogHub
    let ports: PortRegistry
    let processes: ProcessManager
    let telemetry: HostTelemetry
    let notifications: NotificationService
    let work: TaskServices
  }

  private let parts: Parts
  /// One for all who ask: it compares with the snapshot before and keeps `since`.
  private let record = Mutex(HealthRecord())
  /// A monitor that asks for the health gets it soon, also when the disk doesn't answer.
  private let files = FileQueue("the agent's folder", limit: .seconds(2))

  init(_ parts: Parts) { self.parts = parts }

  /// Reads the health of the host and its parts.
  package func report() async -> HealthReport {
    let redactor = parts.settings.value.redactor
    let snapshots = await snapshots().map { snapshot in
      var snapshot = snapshot
      // A reason may quote a module or a library, and either may quote a secret.
      snapshot.reason = snapshot.reason.map(redactor.redact)
      return snapshot
    }
    return record.withLock { $0.take(snapshots, at: Timestamp.now()) }
  }

  /// Reads the health every ten seconds, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      _ = await report()
      try? await Task.sleep(for: Self.interval)
    }
  }

  private func snapshots() async -> [HealthSnapshot] {
    let processes = await parts.processes.health()
    let folder = parts.start.folder.privateFolder
    let space: HealthSnapshot
    do {
      space = .disk(try await files.run { DiskSpace(at: folder) })
    } catch {
      space = HealthSnapshot("disk", .degraded, reason: error.description)
    }
    let (lifecycle, store) = (parts.lifecycle, parts.database.store)
    let own: [HealthSnapshot] = [
      .host(
        awaited: lifecycle.awaited, isStopping: lifecycle.isEnding,
        safeMode: parts.start.safeMode),
      .store(parts.database.condition),
      .eventLog(isOpen: store != nil, problem: parts.retention.problem),
      .logFiles(parts.log.statistics), space,
    ]
    return own + parts.ports.reports.map(HealthSnapshot.listener) + processes
      + parts.telemetry.moduleHealth.map(HealthSnapshot.module) + parts.notifications.health
      + parts.work.health
  }
}
