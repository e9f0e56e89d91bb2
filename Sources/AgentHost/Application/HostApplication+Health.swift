package import AgentDiagnostics
internal import AgentLogging
internal import AgentModules
internal import AgentSettings
internal import AgentStore
internal import AgentSupervision
internal import AgentSystem
internal import Synchronization

/// `get_health`: the health of the host and its parts.
extension HostApplication {
  /// How often the parts are looked at when nobody asks, so that `since` is right.
  private static let healthPause = Duration.seconds(10)

  /// Reads the health of the host and its parts, and since when each is as it is.
  package func health() async -> HealthReport {
    let redactor = settings.redactor
    let readings = await healthReadings().map { reading in
      var reading = reading
      // A reason may quote a module or a library, and either may quote a secret.
      reading.reason = reading.reason.map(redactor.redact)
      return reading
    }
    // One record for all who ask: it compares with the reading before and keeps `since`.
    return state.withLock { $0.health.take(readings, at: Timestamp.now()) }
  }

  /// Adds parts to the health of the host, or takes them out again.
  /// - Parameters:
  ///   - source: the name under which they are added; a second call with it replaces the first.
  ///   - readings: called whenever health is looked at, on any thread; must not wait.
  package func show(health source: String, _ readings: (@Sendable () -> [HealthReading])?) {
    state.withLock { $0.healthSources[source] = readings }
  }

  /// Reads the health every ten seconds, until the task is cancelled.
  func watchHealth() async {
    while !Task.isCancelled {
      _ = await health()
      try? await Task.sleep(for: Self.healthPause)
    }
  }

  private func healthReadings() async -> [HealthReading] {
    let children = await supervisor.status()
    let byName = Dictionary(children.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let settings = settings
    let space = await FileWork.run { [folder] in DiskSpace(at: folder.privateFolder) }
    let (parts, listeners, sources) = state.withLock { state in
      return (
        [
          HealthReading.host(
            awaited: state.awaited, isStopping: ending.isSet, safeMode: safeMode),
          HealthReading.store(state.store?.condition),
          HealthReading.eventLog(isOpen: state.store != nil, problem: state.retentionProblem),
        ], state.listeners.sorted { $0.key < $1.key }.map(\.value),
        state.healthSources.sorted { $0.key < $1.key }.map(\.value)
      )
    }
    var readings = parts + [.logFiles(log.figures), .disk(space)]
    readings += listeners.map { HealthReading.listener($0()) }
    for process in settings.processes where process.enabled {
      let report = report(process, byName[process.name], in: settings, withSandbox: false)
      readings.append(.process(report))
    }
    for module in settings.modules where !module.enabledContributions.isEmpty {
      let child = byName["module:\(module.manifest.name)"]
      readings.append(.process(report(servicesOf: module, child, withSandbox: false)))
    }
    readings += moduleHealth.map(HealthReading.module)
    // Called without the lock: the source of the notifications reads the settings, which takes
    // it.
    return readings + sources.flatMap { $0() }
  }
}
