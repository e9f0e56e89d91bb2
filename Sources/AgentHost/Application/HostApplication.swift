package import AgentAccess
package import AgentBots
package import AgentDiagnostics
package import AgentEvents
internal import AgentJSON
package import AgentLogging
package import AgentMetrics
internal import AgentModules
package import AgentNotifications
package import AgentScheduler
package import AgentSettings
internal import AgentStore
internal import AgentSupervision
internal import AgentSystem
package import AgentTasks
package import AgentTraces
package import AgentWorkers
internal import Glibc
package import Logging
internal import Synchronization

/// One agent that runs: its settings, its workers, its events, its chat. What the command line and
/// the console do goes through it, from any thread.
package final class HostApplication: Sendable {
  /// How the host is run.
  package struct Options: Sendable {
    /// Whether the log goes to standard error.
    package var logsToTerminal: Bool
    /// Whether it is coloured there.
    package var colours: Bool
    /// Whether it runs in safe mode, whatever its last starts were like.
    package var isSafe: Bool
    /// How spans reach a collector; without it none are made, whatever the settings say.
    package var traceTransport: (any TraceTransport)?

    package init(
      logsToTerminal: Bool = true, colours: Bool = false, isSafe: Bool = false,
      traceTransport: (any TraceTransport)? = nil
    ) {
      self.isSafe = isSafe
      self.logsToTerminal = logsToTerminal
      self.colours = colours
      self.traceTransport = traceTransport
    }
  }

  struct State {
    /// What lets one person make the first administrator, until it is told on the terminal.
    var setupSecret: String?
    var settings: AgentSettings
    /// What the settings were read from, until their schemas are written.
    var read: SettingsResult?
    /// What every process and service worker was planned to be, by name.
    var planned: [String: WorkerPlanner.Planned] = [:]
    /// The workers that are there, by name, oldest first; two while one replaces the other.
    var links: [String: [WorkerLink]] = [:]
    /// What the workers' sandboxes reached, by name.
    var sandboxes: [String: SandboxReport] = [:]
    /// The modules that run inside the host, by name of the process or `module:NAME`.
    var inProcess: [String: InProcessWorker] = [:]
    /// What the workers share, once the first was made.
    var services: WorkerServices?
    var forwarding: LogForwarding?
    /// Once it is open.
    var store: SQLiteStore?
    var followers = SettingsFollowers()
    /// The ports that are open or shall be, by the setting that asks for them.
    var listeners: [String: @Sendable () -> ListenerReport] = [:]
    var health = HealthRecord()
    /// What others have added to the host's health, by who.
    var healthSources: [String: @Sendable () -> [HealthReading]] = [:]
    /// Why old events could not be removed the last time.
    var retentionProblem: String?
    /// Where the API's port is, once it is open.
    var url: String?
    /// Who waits for the database; nil once it is open.
    var awaitsDatabase: [CheckedContinuation<Void, Never>]? = []
    /// What is still to come up before the host says that it runs.
    var awaited: Set<String> = ["workers", "management"]
    /// Whether settings can be changed: all that they change is there.
    var takesChanges = false
    /// Whether the host ends while something that can't be ended is under way.
    var isAbandoned = false
  }

  /// The agent's folder.
  package let folder: AgentFolder
  /// The log.
  package let log: LogHub
  /// The events.
  package let events: EventBus
  /// What is counted and measured.
  package let metrics = MetricsRegistry()
  /// Alerts, and who is told of them.
  package let notifications: NotificationCenter
  /// Tasks, and those that the host does.
  package let tasks: TaskEngine
  /// Bots, and who gets what.
  package let bots: TaskDispatcher
  /// Pools, which are as large as their tasks need.
  package let pools: PoolAutoscaler
  /// Schedules, which make tasks.
  package let schedules: Scheduler
  /// Makes spans, while the settings say where they go.
  package let tracer = Tracer()
  /// Who may do what, and who did.
  package let access: AccessControl
  /// Whether the host that ran here before was killed: it has left its socket. Its ports may be taken
  /// for a moment.
  package let followsKilledHost: Bool
  /// Why the host runs in safe mode; nil when it runs as usual.
  package let safeMode: SafeMode?
  /// A logger of the host's own, for libraries that want one.
  package let logger: Logger
  /// When the host was started, in Unix milliseconds.
  package let startedAt: Int64

  let options: Options
  let planner: WorkerPlanner
  let supervisor: Supervisor
  let notifier = ServiceNotifier()
  let changes = ChangeQueue()
  let journal: StartJournal
  let hindrance: StoreHindrance
  /// The host begins to end: who waits is let go, and nobody new is let in to wait.
  let ending = StopSignal()
  /// Requests have had their grace.
  let graceEnd = StopSignal()
  /// The host's parts end.
  let stopping = StopSignal()
  let positions = SubscriptionPositions()
  let stateService = StateService()
  let taskService: TaskService
  let moduleMetrics = ModuleMetrics()
  let crashes: CrashReports
  let outbox: HostOutbox
  let processEvents: ProcessEvents
  let state: Mutex<State>
  private let lock: HostLock

  /// Takes the folder's lock and reads the settings; starts nothing yet.
  /// - Throws: `HostError` with `conflict` when another host runs the folder, with
  ///   `invalidSettings` and every problem when the settings are wrong.
  package init(folder: AgentFolder, options: Options = Options()) throws(HostError) {
    do {
      try folder.prepare()
      lock = try HostLock(path: folder.lock)
    } catch let error as Problem {
      throw HostError(.failed, error.description)
    } catch let error as HostLock.Refusal {
      throw HostError(.conflict, error.message)
    } catch {
      throw HostError(.failed, "\(error)")
    }
    let read = SettingsFile.load(folder, options: .init(strict: true))
    let settings = try Self.accepted(read)
    self.folder = folder
    self.options = options
    startedAt = Timestamp.now()
    followsKilledHost = FileSystem.exists(folder.socket)
    journal = StartJournal(folder: folder)
    let limit = settings.supervision.safeModeAfter
    safeMode = options.isSafe ? .asked : SafeMode(journal.record, after: limit)
    let hindrance = StoreHindrance()
    self.hindrance = hindrance
    let log = LogHub(Self.configuration(settings, folder: folder, options: options))
    log.redact { [redactor = settings.redactor] in redactor.redact($0) }
    moduleMetrics.redact { [redactor = settings.redactor] in redactor.redact($0) }
    self.log = log
    logger = Logger(label: "agent") { _ in HubLogHandler(hub: log) }
    access = Self.desk(log)
    let events = EventBus(awaitsLog: true, now: { Timestamp.now() })
    self.events = events
    let outbox = HostOutbox(events) { log.log(.warning, $0) }
    self.outbox = outbox
    let processEvents = ProcessEvents(events, outbox: outbox) { log.redacted($0) }
    self.processEvents = processEvents
    notifications = NotificationCenter(metrics: metrics, log: log)
    tasks = TaskEngine(
      artifacts: folder.artifacts, events: events, metrics: metrics, log: log)
    tasks.observe { [journal] in journal.note($0) }
    bots = TaskDispatcher(tasks: tasks, events: events, log: log)
    taskService = TaskService(tasks: tasks, bots: bots)
    let (homes, hands) = (BotAvailability(bots), PoolHost())
    pools = PoolAutoscaler(bots, hands.hands)
    homes.tell(pools)
    schedules = Scheduler(engine: tasks, events: events, metrics: metrics, log: log)
    planner = WorkerPlanner(
      installation: try WorkerInstallation(), folder: folder,
      copies: LibraryCopies(folder: folder.libraries), interpreters: InterpreterPrefixes())
    crashes = CrashReports(
      folder: folder.privateFolder + "/crashes", worker: planner.installation.worker, log: log)
    state = Mutex(State(settings: settings, read: read))
    do {
      supervisor = Supervisor(
        loop: try EventLoop(),
        configuration: SupervisorConfiguration(
          ledger: folder.workers, isHindered: { hindrance.lasts })
      ) { [journal] event in
        if case .spawned = event.kind { journal.enter("the start of \(event.name)") }
        SupervisionLog.write(event, to: log)
        processEvents.heard(event)
        homes.heard(event)
      }
    } catch {
      throw HostError(.failed, error.message)
    }
    hands.belong(to: self)
    measure()
    trace(settings)
    forwardLog(of: settings)
    collectModuleMetrics()
    for problem in read.problems { log.log(.warning, problem.description) }
  }

  /// The settings as they are applied now.
  package var settings: AgentSettings { state.withLock { $0.settings } }

  /// The settings of a result without errors.
  static func accepted(_ result: SettingsResult) throws(HostError) -> AgentSettings {
    if let settings = result.settings { return settings }
    let errors = result.problems.filter { $0.severity == .error }
    throw HostError(
      .invalidSettings, "The settings are wrong.",
      problems: errors.map { problem in
        var object = problem.json.object ?? JSONObject()
        object["text"] = .string(problem.description)
        return .object(object)
      })
  }

  /// When a log file is put aside, and how many of those are kept.
  package var logRotation: LogRotation {
    Self.configuration(settings, folder: folder, options: options).rotation
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
      maximumBytes: logging.rotation.maxBytes,
      maximumAge: Int(clamping: Int64(clamping: min(logging.rotation.maxAgeDays, 36_500) * 86_400)),
      keep: logging.rotation.keep)
    configuration.folder = folder.logs
    configuration.toStandardError = options.logsToTerminal
    configuration.colours = options.colours && !configuration.asJSON
    return configuration
  }
}
