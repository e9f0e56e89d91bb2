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

/// The host's task engine, dispatcher, pools and scheduler, configured by the settings. Safe from
/// every thread.
package final class TaskServices: Sendable {
  /// Stores the tasks, and runs those that have an executor in the host.
  package let tasks: TaskEngine
  /// Registers the bots, and assigns tasks to them.
  package let bots: TaskDispatcher
  /// Adapts the size of pools to their tasks.
  package let pools: PoolAutoscaler
  /// Creates tasks at the fire times of schedules.
  package let schedules: Scheduler
  private let forModules: TaskService
  private let processes: ProcessManager
  private let log: LogHub
  /// Whether tasks were opened. Before that, they have no health.
  private let isOpen = Mutex(false)

  /// - Parameters:
  ///   - forModules: answers the requests of modules about tasks and bots.
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
      // Weak: the processes hold an observer that holds the pools.
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

  /// Applies the settings to the engine, the dispatcher, the scheduler and the service for modules.
  /// A schedule that is invalid is logged and left out.
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

  /// Applies the pools of the settings. Called after the pools' processes were added to the
  /// supervisor, because the autoscaler may start instances at once.
  func applyPools(_ settings: AgentSettings) {
    pools.apply(BotPlanner(settings: settings, processes: weakProcesses).pools())
  }

  /// Opens tasks, bots and schedules. Called before modules run, because a module may create tasks
  /// at once. While the disk is full or broken, the call waits. Any other error is logged, and the
  /// host continues without tasks.
  /// - Parameter retry: repeats what the database refuses for a while.
  /// - Returns: whether they are open.
  func open(
    _ store: any Store, _ settings: AgentSettings, retrying retry: StoreRetry
  ) async -> Bool {
    apply(settings)
    isOpen.withLock { $0 = true }
    do {
      // The engine first: assignments and fire times refer to its tasks.
      try await retry.run("Tasks can't be executed yet.") { try await tasks.open(store) }
      try await bots.open(store) { try await retry.run("Bots can't get tasks yet.", $0) }
      applyPools(settings)
      try await retry.run("Schedules create no tasks yet.") { try await schedules.open(store) }
      await storeSchedules()
      return true
    } catch {
      log.log(.error, "Tasks can't be executed. \(error)")
      return false
    }
  }

  /// Stores the schedules of the settings, so that a client that lists them after the start finds
  /// them. The start doesn't wait for a full disk here: the scheduler tries it again.
  private func storeSchedules() async {
    do {
      try await schedules.adoptWanted()
    } catch {
      log.log(.warning, "The schedules of the settings aren't stored yet. \(error)")
    }
  }

  /// Runs the engine, the dispatcher, the autoscaler and the scheduler until the task is cancelled.
  func run(_ store: any Store) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.tasks.work(store) }
      group.addTask { await self.bots.work(store) }
      group.addTask { await self.pools.work() }
      group.addTask { await self.schedules.work(store) }
    }
  }

  /// The health of tasks. Empty before they were opened.
  var health: [HealthSnapshot] {
    guard isOpen.withLock({ $0 }) else { return [] }
    let troubles = tasks.troubles
    return [
      troubles.isEmpty
        ? HealthSnapshot("tasks")
        : HealthSnapshot("tasks", .degraded, reason: troubles.joined(separator: " "))
    ]
  }

  /// Weak: the plans belong to the engine and the dispatcher, and the processes hold services that
  /// use both.
  private var weakProcesses: @Sendable () -> ProcessManager? {
    { [weak processes] in processes }
  }

  /// Reads a schedule of the settings. An invalid one is logged; the result is nil then.
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
