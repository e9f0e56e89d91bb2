internal import AgentBots
internal import AgentDiagnostics
internal import AgentEvents
internal import AgentLogging
internal import AgentMetrics
internal import AgentModules
internal import AgentScheduler
internal import AgentSettings
internal import AgentSystem
package import AgentTasks
package import AgentWorkers
internal import Glibc
internal import Synchronization

/// The host's task engine, dispatcher, pools and scheduler, by the settings.
extension HostApplication {
  /// The health of the work on tasks.
  private var taskHealth: HealthReading {
    let troubles = tasks.troubles
    return troubles.isEmpty
      ? HealthReading("tasks")
      : HealthReading("tasks", .degraded, reason: troubles.joined(separator: " "))
  }

  /// Hands the task engine, the task service and the dispatcher the plans of these settings.
  func planTasks(by settings: AgentSettings) {
    tasks.apply(TaskPlanner(settings: settings, host: { [weak self] in self }).plan())
    taskService.grant(
      Dictionary(
        settings.modules.map { ($0.manifest.name, Set($0.taskTypes)) }, uniquingKeysWith: { $1 }))
    planBots(by: settings)
  }

  /// Opens tasks, bots and schedules. Called before modules run, since a module may ask for work at
  /// once. An error is logged, and the host goes on without tasks.
  /// - Returns: whether they can be worked on.
  func openTasks() async -> Bool {
    guard let store = state.withLock({ $0.store }) else { return false }
    planTasks(by: settings)
    show(health: "tasks") { [weak self] in self.map { [$0.taskHealth] } ?? [] }
    schedule(by: settings)
    do {
      // The dispatcher and the scheduler build on the engine: offers and fire times refer to its
      // tasks.
      try await tasks.open(store)
      try await bots.open(store)
      planPools(by: settings)
      try await schedules.open(store)
      return true
    } catch {
      log.log(.error, "Tasks can't be executed. \(error)")
      return false
    }
  }

  /// Runs the engine, the dispatcher, the autoscaler and the scheduler, until the task is
  /// cancelled.
  func runTasks() async {
    guard let store = state.withLock({ $0.store }) else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.tasks.work(store) }
      group.addTask { await self.bots.work(store) }
      group.addTask { await self.pools.work() }
      group.addTask { await self.schedules.work(store) }
    }
  }
}

extension TaskEngine {
  /// The host's own, whose changes are events.
  convenience init(
    artifacts: String, events: EventBus, metrics: MetricsRegistry, log: LogHub
  ) {
    self.init(
      // With the time of the start, because a pid is used again: a lease of a former host must
      // not look like this host's.
      owner: "\(getpid())-\(Timestamp.now())", artifacts: artifacts,
      now: { Timestamp.now() }, steady: Self.machineTime, boot: Self.machineStart,
      log: { level, message in log.tell(level, message) })
    let publisher = TaskEvents(events)
    // `record` is called in the transaction, `observe` once it is durable. An event that is
    // stored belongs to the first, a live one to the second.
    record { try publisher.store($0, in: $1) }
    observe { publisher.changed($0) }
    count(in: metrics)
  }
}

extension LogHub {
  func tell(_ level: TaskEngine.LogLevel, _ message: String) {
    switch level {
    case .info: log(.info, message)
    case .warning: log(.warning, message)
    case .error: log(.error, message)
    }
  }
}

extension HostError {
  /// Translates an error of a task service into the API's codes.
  package init(_ error: TaskError) {
    let code: Code =
      switch error.code {
      case .missing: .notFound
      case .conflict, .staleLease: .conflict
      case .invalid: .invalid
      case .forbidden: .forbidden
      case .notReady: .notReady
      case .timedOut: .deadlineExceeded
      }
    self.init(code, error.message)
  }
}
