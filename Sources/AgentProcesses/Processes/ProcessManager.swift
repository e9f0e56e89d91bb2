package import AgentDiagnostics
package import AgentEvents
package import AgentLogging
package import AgentMetrics
internal import AgentModules
package import AgentSettings
package import AgentSupervision
internal import AgentSystem
package import AgentTraces
internal import AgentWorkerProtocol
package import AgentWorkers
internal import Synchronization

/// The processes of the settings and the modules that answer calls, in supervised workers or in the
/// host. Any thread may use it.
package final class ProcessManager: Sendable {
  /// The parts of the host that the manager needs.
  package struct Environment: Sendable {
    let settings: CurrentSettings
    let start: HostStart
    let log: LogHub
    let metrics: MetricsRegistry
    let tracer: Tracer
    let events: EventBus
    let reports: ProcessEvents
    let hindrance: StoreHindrance
    let services: [String: any HostService]
    let isEnding: @Sendable () -> Bool

    /// - Parameters:
    ///   - reports: publishes the failures and recoveries of processes.
    ///   - hindrance: knows whether the database prevents workers from working.
    ///   - services: the services that workers call by the names of their methods, by id.
    ///   - isEnding: returns whether the host has begun to end. Called on any thread.
    package init(
      settings: CurrentSettings, start: HostStart, log: LogHub, metrics: MetricsRegistry,
      tracer: Tracer, events: EventBus, reports: ProcessEvents, hindrance: StoreHindrance,
      services: [String: any HostService], isEnding: @escaping @Sendable () -> Bool
    ) {
      self.settings = settings
      self.start = start
      self.log = log
      self.metrics = metrics
      self.tracer = tracer
      self.events = events
      self.reports = reports
      self.hindrance = hindrance
      self.services = services
      self.isEnding = isEnding
    }
  }

  struct State {
    /// The plan of every supervised process and service worker, by name.
    var planned: [String: WorkerPlanner.Planned] = [:]
    /// The modules that run inside the host, by the name of the process or `module:NAME`.
    var inProcess: [String: InProcessWorker] = [:]
    /// The reason why a process or service worker of the settings isn't supervised, by name.
    var refused: [String: String] = [:]
  }

  let environment: Environment
  let planner: WorkerPlanner
  let supervisor: Supervisor
  let registry = WorkerRegistry()
  let services: WorkerServices
  let state = Mutex(State())
  private let observers: SupervisionObservers

  /// - Throws: `failed` if the programs of the installation are missing or the loop can't be
  ///   created.
  package init(_ environment: Environment) throws(HostError) {
    self.environment = environment
    let folder = environment.start.folder
    planner = WorkerPlanner(
      installation: try WorkerInstallation(), folder: folder,
      copies: LibraryCopies(folder: folder.libraries), interpreters: InterpreterPrefixes())
    services = Self.services(
      environment: environment, registry: registry,
      crashes: CrashReports(
        folder: folder.privateFolder + "/crashes", worker: planner.installation.worker,
        log: environment.log))
    let observers = SupervisionObservers()
    self.observers = observers
    do {
      supervisor = Supervisor(
        loop: try EventLoop(),
        configuration: SupervisorConfiguration(
          records: folder.workers,
          isHindered: { [hindrance = environment.hindrance] in hindrance.lasts })
      ) {
        [
          journal = environment.start.journal, log = environment.log, reports = environment.reports
        ] event in
        if case .spawned = event.kind { journal.enter("the start of \(event.name)") }
        SupervisionLog.write(event, to: log)
        reports.supervisionDidChange(event)
        observers.supervisionDidChange(event)
      }
    } catch {
      throw HostError(.failed, error.message)
    }
  }

  /// Reports every event of the supervisor to an observer, on the loop's thread, in order. The
  /// observer must not block. Register before processes are added.
  package func observe(_ observer: @escaping @Sendable (SupervisionEvent) -> Void) {
    observers.add(observer)
  }

  /// Returns when the loop of all workers has answered.
  package func awaitLoop() async { _ = await supervisor.status() }

  /// Starts the processes at once that wait because the database accepted no writes.
  package func endHindrance() async { await supervisor.endHindrance() }

  /// The settings in force.
  var settings: AgentSettings { environment.settings.value }

  private static func services(
    environment: Environment, registry: WorkerRegistry, crashes: CrashReports
  ) -> WorkerServices {
    let (metrics, log) = (environment.metrics, environment.log)
    return WorkerServices(
      events: environment.events, positions: SubscriptionPositions(),
      byMethod: environment.services,
      metrics: ServiceMetrics(metrics, services: environment.services.keys.sorted()),
      tracer: environment.tracer,
      log: { record in
        log.log(
          LogLevel(rawValue: record.level.name) ?? .info, record.message, source: record.process)
      },
      recordsDropped: { name, count in
        metrics.counter(
          "bulkhead_worker_log_dropped_total",
          help: "Log records of a process that were dropped because they came too fast.",
          labels: ["process": name]
        ).increment(by: count)
      },
      sandboxReached: { link, loaded in
        registry.sandboxReached(link.plan.name, pid: link.connection.pid, loaded)
      },
      inProcessChanged: { [reports = environment.reports] name, reason in
        if let reason { reports.failed(name, reason) } else { reports.runs(name) }
      },
      ended: { link, exit in
        registry.remove(link)
        crashes.collect(from: link, exit)
      })
  }
}

/// The observers of the supervisor's events.
private final class SupervisionObservers: Sendable {
  private let observers = Mutex<[@Sendable (SupervisionEvent) -> Void]>([])

  func add(_ observer: @escaping @Sendable (SupervisionEvent) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  func supervisionDidChange(_ event: SupervisionEvent) {
    for observer in observers.withLock({ $0 }) { observer(event) }
  }
}
