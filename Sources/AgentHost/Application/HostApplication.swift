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

/// A running agent: its settings, workers, events, tasks and chat. The command line and the console
/// use it, from any thread.
package final class HostApplication: Sendable {
  /// The options of the command line.
  package struct Options: Sendable {
    /// Whether the log goes to standard error.
    package var logsToTerminal: Bool
    /// Whether its lines have colors.
    package var colours: Bool
    /// Whether it runs in safe mode, whatever its last starts were like.
    package var isSafe: Bool
    /// Sends spans to a collector. Without it no spans are made, whatever the settings say.
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
    /// The secret that makes the first administrator, until it was shown on the terminal.
    var setupSecret: String?
    var settings: AgentSettings
    /// The result of reading the settings, until their schemas are written.
    var read: SettingsResult?
    /// The plan of every process and service worker, by name.
    var planned: [String: WorkerPlanner.Planned] = [:]
    /// The links of the running workers, by name, oldest first. There are two while one worker
    /// replaces the other.
    var links: [String: [WorkerLink]] = [:]
    /// The levels that the workers' sandboxes reached, by name.
    var sandboxes: [String: SandboxReport] = [:]
    /// The modules that run inside the host, by name of the process or `module:NAME`.
    var inProcess: [String: InProcessWorker] = [:]
    /// The services that all workers share, once they were used first.
    var services: WorkerServices?
    var forwarding: LogForwarding?
    /// Once it is open.
    var store: SQLiteStore?
    var followers = SettingsFollowers()
    /// The ports that are open or shall be, by the setting that asks for them.
    var listeners: [String: @Sendable () -> ListenerReport] = [:]
    var health = HealthRecord()
    /// The readings that other parts add to the host's health, by their name.
    var healthSources: [String: @Sendable () -> [HealthReading]] = [:]
    /// Why old events could not be removed the last time.
    var retentionProblem: String?
    /// Where the API's port is, once it is open.
    var url: String?
    /// The calls that wait for the database; nil once it is open.
    var awaitsDatabase: [CheckedContinuation<Void, Never>]? = []
    /// The parts that must come up before the host notifies systemd.
    var awaited: Set<String> = ["workers", "management"]
    /// Whether settings can be changed. True once the plans of all processes are there.
    var takesChanges = false
    /// Whether the host ends while something that can't be ended is under way.
    var isAbandoned = false
  }

  package let folder: AgentFolder
  package let log: LogHub
  package let events: EventBus
  /// The registry of all metrics.
  package let metrics = MetricsRegistry()
  /// Alerts and their delivery.
  package let notifications: NotificationCenter
  /// Tasks, and the executors that run in the host.
  package let tasks: TaskEngine
  /// Bots, and the assignment of tasks to them.
  package let bots: TaskDispatcher
  /// Pools, which are as large as their tasks need.
  package let pools: PoolAutoscaler
  /// Schedules, which make tasks.
  package let schedules: Scheduler
  /// Makes spans, while the settings say where they go.
  package let tracer = Tracer()
  /// Users, tokens, roles and the audit log.
  package let access: AccessControl
  /// Whether the former host was killed, since it has left its socket. Its ports may be taken for a
  /// moment, so the listeners try again quickly.
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
  /// Set when the host begins to end: requests that wait are answered, and new ones don't wait.
  let ending = StopSignal()
  /// Set when requests have had their grace.
  let graceEnd = StopSignal()
  /// Set when the host's parts end.
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
      // Before anything of the folder is read or logged: two hosts would write the same database,
      // record of starts and logs.
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
    // Read now: the management server will make this file anew.
    followsKilledHost = FileSystem.exists(folder.socket)
    // Read before `run` begins its own entry, since safe mode is decided by the starts before
    // this one.
    journal = StartJournal(folder: folder)
    let limit = settings.supervision.safeModeAfter
    safeMode = options.isSafe ? .asked : SafeMode(journal.record, after: limit)
    // Shared: the database says when it hinders workers, and the supervisor then doesn't count
    // their ends.
    let hindrance = StoreHindrance()
    self.hindrance = hindrance
    let log = LogHub(Self.configuration(settings, folder: folder, options: options))
    // Before anything can log: from here on no text goes out with a secret in it.
    log.redact { [redactor = settings.redactor] in redactor.redact($0) }
    moduleMetrics.redact { [redactor = settings.redactor] in redactor.redact($0) }
    self.log = log
    logger = Logger(label: "agent") { _ in HubLogHandler(hub: log) }
    access = Self.desk(log)
    // Events that are published before the database is open wait for it instead of being lost.
    let events = EventBus(awaitsLog: true, now: { Timestamp.now() })
    self.events = events
    let outbox = HostOutbox(events) { log.log(.warning, $0) }
    self.outbox = outbox
    let processEvents = ProcessEvents(events, outbox: outbox) { log.redacted($0) }
    self.processEvents = processEvents
    notifications = NotificationCenter(metrics: metrics, log: log)
    tasks = TaskEngine(
      artifacts: folder.artifacts, events: events, metrics: metrics, log: log)
    // A task may be what a host dies of. The record of starts names the last one that began.
    tasks.observe { [journal] in journal.note($0) }
    bots = TaskDispatcher(tasks: tasks, events: events, log: log)
    taskService = TaskService(tasks: tasks, bots: bots)
    // Two go-betweens, because parts need one another: the supervisor below reports to pools, and
    // pools start instances through the host, which isn't complete yet.
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
      // After all that its events go to: they may come as soon as there is a child.
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
    // From here on every stored property is set, so `self` may be handed out.
    hands.belong(to: self)
    measure()
    trace(settings)
    forwardLog(of: settings)
    collectModuleMetrics()
    // The settings have no error here: what is left are warnings.
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
      maxBytes: logging.rotation.maxBytes,
      maxAge: Int(clamping: Int64(clamping: min(logging.rotation.maxAgeDays, 36_500) * 86_400)),
      keep: logging.rotation.keep)
    configuration.folder = folder.logs
    configuration.toStandardError = options.logsToTerminal
    configuration.colours = options.colours && !configuration.asJSON
    return configuration
  }
}
