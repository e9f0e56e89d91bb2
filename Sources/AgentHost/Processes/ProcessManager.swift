internal import AgentDiagnostics
internal import AgentLogging
internal import AgentMetrics
internal import AgentModules
internal import AgentSettings
internal import AgentSupervision
internal import AgentSystem
internal import AgentTraces
internal import AgentWorkerProtocol
internal import AgentWorkers
internal import Synchronization

/// The processes of the settings and the modules that answer calls: in workers that are supervised,
/// or in the host. Any thread.
package final class ProcessManager: Sendable {
  /// What the manager needs of the host.
  struct Environment: Sendable {
    let settings: CurrentSettings
    let lifecycle: HostLifecycle
    let start: HostStart
    let telemetry: HostTelemetry
    let log: LogHub
    let events: HostEvents
    /// Whether the database keeps workers from their work.
    let hindrance: StoreHindrance
    /// The services that workers ask by the names of their methods, by id.
    let services: [String: any HostService]
  }

  struct State {
    /// The plan of every process and service worker that is supervised, by name.
    var planned: [String: WorkerPlanner.Planned] = [:]
    /// The modules that run inside the host, by name of the process or `module:NAME`.
    var inProcess: [String: InProcessWorker] = [:]
    /// Why a process or a service worker isn't supervised although the settings have it, by name.
    var refused: [String: String] = [:]
  }

  let environment: Environment
  let planner: WorkerPlanner
  let supervisor: Supervisor
  let registry = WorkerRegistry()
  let services: WorkerServices
  let state = Mutex(State())
  private let observers: SupervisionObservers

  /// - Throws: `failed` when the programs of the installation or the loop can't be had.
  init(_ environment: Environment) throws(HostError) {
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
        [journal = environment.start.journal, log = environment.log, events = environment.events]
        event in
        if case .spawned = event.kind { journal.enter("the start of \(event.name)") }
        SupervisionLog.write(event, to: log)
        events.processes.supervisionDidChange(event)
        observers.supervisionDidChange(event)
      }
    } catch {
      throw HostError(.failed, error.message)
    }
  }

  /// Reports every event of the supervisor to an observer, on the loop's thread, in order. The
  /// observer must not block. Register before processes are added.
  func observe(_ observer: @escaping @Sendable (SupervisionEvent) -> Void) {
    observers.add(observer)
  }

  /// The settings in force.
  var settings: AgentSettings { environment.settings.value }

  private static func services(
    environment: Environment, registry: WorkerRegistry, crashes: CrashReports
  ) -> WorkerServices {
    let (metrics, log) = (environment.telemetry.metrics, environment.log)
    return WorkerServices(
      events: environment.events.bus, positions: SubscriptionPositions(),
      byMethod: environment.services,
      metrics: ServiceMetrics(metrics, services: environment.services.keys.sorted()),
      tracer: environment.telemetry.tracer,
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
      inProcessChanged: { [processes = environment.events.processes] name, reason in
        if let reason { processes.failed(name, reason) } else { processes.runs(name) }
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
