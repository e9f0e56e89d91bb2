package import AgentBots
internal import AgentDiagnostics
internal import AgentJSON
internal import AgentLogging
internal import AgentModules
internal import AgentProcesses
package import AgentScheduler
internal import AgentSettings
internal import AgentStore
package import AgentTasks
internal import AgentWorkers
internal import Synchronization

/// The host's task engine, dispatcher, pools and scheduler, by the settings. Any thread.
package final class TaskServices: Sendable {
  /// Tasks, and the executors that run in the host.
  package let tasks: TaskEngine
  /// Bots, and the assignment of tasks to them.
  package let bots: TaskDispatcher
  /// Pools, which are as large as their tasks need.
  package let pools: PoolAutoscaler
  /// Schedules, which make tasks.
  package let schedules: Scheduler
  private let forModules: TaskService
  private let processes: ProcessManager
  private let log: LogHub
  /// Whether tasks were opened: what wasn't has no health.
  private let isOpen = Mutex(false)

  /// - Parameters:
  ///   - forModules: what modules can ask of tasks and bots.
  ///   - processes: runs actions of modules, and the instances of pools.
  init(
    tasks: TaskEngine, bots: TaskDispatcher, forModules: TaskService, schedules: Scheduler,
    processes: ProcessManager, log: LogHub
  ) {
    self.tasks = tasks
    self.bots = bots
    self.forModules = forModules
    self.schedules = schedules
    self.processes = processes
    self.log = log
    pools = PoolAutoscaler(
      bots,
      // Weak: the processes report to the pools below.
      InstanceController { [weak processes] name in
        guard let processes else { throw CancellationError() }
        try await processes.startInstance(name)
      } stop: { [weak processes] name in
        guard let processes else { throw CancellationError() }
        try await processes.stop(name)
      })
    let availability = BotAvailability(bots, pools)
    processes.observe { availability.supervisionDidChange($0) }
  }

  /// Hands the engine, the dispatcher, the scheduler and the service for modules the plans of these
  /// settings. A schedule that can't be stored is logged and left out.
  func apply(_ settings: AgentSettings) {
    tasks.apply(
      TaskPlanner(settings: settings, artifactStore: tasks.artifactStore, processes: weakProcesses)
        .plan())
    forModules.grant(
      Dictionary(
        settings.modules.map { ($0.manifest.name, Set($0.taskTypes)) }, uniquingKeysWith: { $1 }))
    bots.apply(BotPlanner(settings: settings, processes: weakProcesses).plan())
    schedules.apply(settings.schedules.compactMap(draft))
  }

  /// Hands the autoscaler the pools of these settings. Call it after their processes were added to
  /// the supervisor: the autoscaler may start instances right away.
  func applyPools(_ settings: AgentSettings) {
    pools.apply(BotPlanner(settings: settings, processes: weakProcesses).pools())
  }

  /// Opens tasks, bots and schedules. Called before modules run, since a module may ask for work at
  /// once. An error is logged, and the host goes on without tasks.
  /// - Returns: whether they can be worked on.
  func open(_ store: any Store, _ settings: AgentSettings) async -> Bool {
    apply(settings)
    isOpen.withLock { $0 = true }
    do {
      // The dispatcher and the scheduler build on the engine: offers and fire times refer to its
      // tasks.
      try await tasks.open(store)
      try await bots.open(store)
      applyPools(settings)
      try await schedules.open(store)
      return true
    } catch {
      log.log(.error, "Tasks can't be executed. \(error)")
      return false
    }
  }

  /// Runs the engine, the dispatcher, the autoscaler and the scheduler, until the task is
  /// cancelled.
  func run(_ store: any Store) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.tasks.work(store) }
      group.addTask { await self.bots.work(store) }
      group.addTask { await self.pools.work() }
      group.addTask { await self.schedules.work(store) }
    }
  }

  /// The health of the work on tasks.
  var health: [HealthSnapshot] {
    guard isOpen.withLock({ $0 }) else { return [] }
    let troubles = tasks.troubles
    return [
      troubles.isEmpty
        ? HealthSnapshot("tasks")
        : HealthSnapshot("tasks", .degraded, reason: troubles.joined(separator: " "))
    ]
  }

  /// Weak: the plans belong to the engine and the dispatcher, which services of the processes hold.
  private var weakProcesses: @Sendable () -> ProcessManager? {
    { [weak processes] in processes }
  }

  private func draft(_ schedule: ScheduleSettings) -> ScheduleDraft? {
    do throws(TaskError) {
      return ScheduleDraft(
        name: schedule.name, try ScheduleDefinition(json: schedule.definition))
    } catch {
      log.log(.error, "schedules.\(schedule.name) can't be stored. \(error)")
      return nil
    }
  }
}
