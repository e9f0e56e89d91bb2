package import AgentAccess
package import AgentBots
package import AgentDiagnostics
package import AgentEvents
internal import AgentJSON
package import AgentLogging
package import AgentMetrics
internal import AgentModules
package import AgentNotifications
package import AgentProcesses
package import AgentScheduler
package import AgentSettings
internal import AgentSystem
package import AgentTasks
package import AgentTraces
package import AgentWorkers
package import Logging

/// A running agent: its settings, workers, events, tasks and chat. The command line and the API use
/// it, from any thread.
///
/// It makes the parts in the order in which they need each other, runs them, and ends them. Each
/// part does its own work.
package final class HostApplication: Sendable {
  /// The options of the command line.
  package struct Options: Sendable {
    /// Whether the log goes to standard error.
    package var logsToTerminal: Bool
    /// Whether its lines have colors.
    package var colors: Bool
    /// Sends spans to a collector. Without it no spans are made, whatever the settings say.
    package var traceTransport: (any TraceTransport)?

    package init(
      logsToTerminal: Bool = true, colors: Bool = false,
      traceTransport: (any TraceTransport)? = nil
    ) {
      self.logsToTerminal = logsToTerminal
      self.colors = colors
      self.traceTransport = traceTransport
    }
  }

  /// The folder, and how the hosts before this one ended.
  package let start: HostStart
  package let lifecycle: HostLifecycle
  /// The settings in force.
  package let currentSettings: CurrentSettings
  package let log: LogHub
  /// Metrics and traces.
  package let telemetry: HostTelemetry
  /// Users, tokens, roles and the audit log.
  package let access: AccessControl
  package let ports: PortRegistry
  /// What the host holds for clients.
  package let held = HeldMemory()
  package let database: HostDatabase
  /// The processes of the settings, and what modules offer.
  package let processes: ProcessManager
  /// Tasks, bots, pools and schedules.
  package let work: TaskServices
  package let health: HealthMonitor
  let hostEvents: HostEvents
  let notificationService: NotificationService
  let parts: Parts
  let changes = ChangeQueue()

  /// Parts that only the start and the end of the host deal with.
  struct Parts: Sendable {
    let options: Options
    let notifier: ServiceNotifier
    let setup: FirstUserSetup
    let retention: EventRetention
    let state: StateService
  }

  /// Makes the parts of the host; starts nothing yet.
  package init(_ opening: HostOpening, options: Options = Options()) throws(HostError) {
    let folder = opening.folder
    let (read, settings) = (opening.read, opening.settings)
    start = HostStart(
      folder, opening.lock, journal: opening.journal, safeMode: opening.safeMode)
    let notifier = ServiceNotifier()
    let status = HostStatus.line(settings, start.safeMode)
    lifecycle = HostLifecycle { notifier.ready(status: status) }
    currentSettings = CurrentSettings(settings, read)
    log = LogHub(Self.configuration(settings, folder: folder, options: options))
    // Before anything can log: from here on no text goes out with a secret in it.
    log.redact { [redactor = settings.redactor] in redactor.redact($0) }
    telemetry = HostTelemetry(log, transport: options.traceTransport)
    hostEvents = HostEvents(log)
    let events = hostEvents.bus
    access = AccessControl(
      now: { Timestamp.now() }, steady: { ClockSample.steady() },
      trustsClock: { events.trustsClock }
    ) { [log] in log.log(.error, $0) }
    // Shared: the database says when it hinders workers, and the supervisor then doesn't count
    // their ends.
    let hindrance = StoreHindrance()
    database = HostDatabase(path: folder.store, log, hindrance)
    let setup = FirstUserSetup(
      file: folder.setupSecret, access, log, showsLinks: options.logsToTerminal)
    ports = PortRegistry(currentSettings, setup)
    let tasks = TaskEngine(
      artifacts: folder.artifacts, events: events, metrics: telemetry.metrics, log: log)
    // A task may be what a host dies of. The record of starts names the last one that began.
    tasks.observe { [journal = start.journal] in journal.note($0) }
    let bots = TaskDispatcher(tasks: tasks, events: events, log: log)
    let (state, forModules) = (StateService(), TaskService(tasks: tasks, bots: bots))
    processes = try ProcessManager(
      .init(
        settings: currentSettings, start: start, log: log, metrics: telemetry.metrics,
        tracer: telemetry.tracer, events: events, reports: hostEvents.processes,
        hindrance: hindrance,
        services: ["metrics/1": telemetry.modules, "state/1": state, "tasks/1": forModules],
        isEnding: { [lifecycle] in lifecycle.isEnding }))
    work = TaskServices(
      tasks: tasks, bots: bots, forModules: forModules,
      schedules: Scheduler(engine: tasks, events: events, metrics: telemetry.metrics, log: log),
      processes: processes, log: log)
    notificationService = NotificationService(
      settings: currentSettings, events: events, log: log, metrics: telemetry.metrics,
      printsToTerminal: options.logsToTerminal,
      baseURL: { [ports] in ports.baseURL }, processes: processes)
    let retention = EventRetention(
      settings: currentSettings, database: database, events: events, log: log)
    parts = Parts(
      options: options, notifier: notifier, setup: setup, retention: retention, state: state)
    health = HealthMonitor(
      .init(
        start: start, lifecycle: lifecycle, settings: currentSettings, database: database,
        retention: retention, log: log, ports: ports, processes: processes,
        telemetry: telemetry, notifications: notificationService, work: work))
    endWaitsWithHost()
    measure()
    showHeld()
    telemetry.apply(settings)
    hostEvents.forwardLog(of: settings)
    // Only safe mode goes on with errors.
    for problem in read.problems {
      log.log(problem.severity == .error ? .error : .warning, problem.description)
    }
    start.journal.enter("the opening of sockets and ports")
  }

  private func showHeld() {
    held.show("streams") { [hostEvents] in
      let held = hostEvents.bus.streams.held
      return HeldMemory.Part(bytes: held.bytes, maxBytes: held.maxBytes)
    }
    held.show("subscriptions") { [hostEvents] in
      let statistics = hostEvents.bus.statistics
      return HeldMemory.Part(
        bytes: statistics.waitingBytes, maxBytes: statistics.maxWaitingBytes)
    }
    held.show("queries") { [hostEvents] in
      let memory = hostEvents.bus.memory
      return HeldMemory.Part(bytes: memory.bytes, maxBytes: memory.limit)
    }
  }

  /// Ends what waits for tasks and for the database when the host begins to end.
  private func endWaitsWithHost() {
    lifecycle.whenEnding { [start, work, database, hostEvents] in
      // Somebody asked for this end, so it doesn't count for safe mode.
      start.journal.clear()
      work.tasks.endWaits()
      // The log of events won't be opened any more, and calls wait for it.
      if database.store == nil { hostEvents.bus.giveUpLog() }
      database.endWaits()
    }
  }

  static func configuration(
    _ settings: AgentSettings, folder: AgentFolder, options: Options
  ) -> LogConfiguration {
    let logging = settings.logging
    var configuration = LogConfiguration()
    configuration.level = LogLevel(rawValue: logging.level.rawValue) ?? .info
    configuration.asJSON = logging.format == .json
    configuration.file = logging.file.map { $0.hasPrefix("/") ? $0 : "\(folder.path)/\($0)" }
    configuration.rotation = LogRotation(
      maxBytes: logging.rotation.maxBytes,
      maxAge: Int(clamping: Int64(clamping: min(logging.rotation.maxAgeDays, 36_500) * 86_400)),
      keep: logging.rotation.keep)
    configuration.folder = folder.logs
    configuration.toStandardError = options.logsToTerminal
    configuration.colors = options.colors && !configuration.asJSON
    return configuration
  }
}

extension HostApplication {
  package var folder: AgentFolder { start.folder }
  /// The settings as they are applied now.
  package var settings: AgentSettings { currentSettings.value }
  package var events: EventBus { hostEvents.bus }
  package var metrics: MetricsRegistry { telemetry.metrics }
  package var tracer: Tracer { telemetry.tracer }
  package var tasks: TaskEngine { work.tasks }
  package var bots: TaskDispatcher { work.bots }
  package var schedules: Scheduler { work.schedules }
  package var notifications: NotificationCenter { notificationService.center }
  /// A logger of the host's own, for libraries that want one.
  package var logger: Logger {
    Logger(label: "agent") { [log] _ in HubLogHandler(hub: log) }
  }

  /// When a log file is put aside, and how many of those are kept.
  package var logRotation: LogRotation {
    Self.configuration(settings, folder: folder, options: parts.options).rotation
  }
}
