package import AgentDiagnostics
internal import AgentLogging
internal import AgentModules
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
  /// One for all who ask: it compares with the reading before and keeps `since`.
  private let record = Mutex(HealthRecord())

  init(_ parts: Parts) { self.parts = parts }

  /// Reads the health of the host and its parts.
  package func report() async -> HealthReport {
    let redactor = parts.settings.value.redactor
    let readings = await readings().map { reading in
      var reading = reading
      // A reason may quote a module or a library, and either may quote a secret.
      reading.reason = reading.reason.map(redactor.redact)
      return reading
    }
    return record.withLock { $0.take(readings, at: Timestamp.now()) }
  }

  /// Reads the health every ten seconds, until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      _ = await report()
      try? await Task.sleep(for: Self.interval)
    }
  }

  private func readings() async -> [HealthReading] {
    let processes = await parts.processes.health()
    let folder = parts.start.folder.privateFolder
    let space = await FileWork.run { DiskSpace(at: folder) }
    let (lifecycle, store) = (parts.lifecycle, parts.database.store)
    let own: [HealthReading] = [
      .host(
        awaited: lifecycle.awaited, isStopping: lifecycle.isEnding,
        safeMode: parts.start.safeMode),
      .store(store?.condition),
      .eventLog(isOpen: store != nil, problem: parts.retention.problem),
      .logFiles(parts.log.figures), .disk(space),
    ]
    return own + parts.ports.reports.map(HealthReading.listener) + processes
      + parts.telemetry.moduleHealth.map(HealthReading.module) + parts.notifications.health
      + parts.work.health
  }
}
