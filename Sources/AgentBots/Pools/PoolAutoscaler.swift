internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// Adapts the size of pools to their tasks. It examines them when tasks change, at most once a
/// second, and by itself only while tasks wait or a pool isn't at its minimum.
///
/// Nothing is stored: instances end with the host, and each pool begins with its minimum.
public final class PoolAutoscaler: Sendable {
  struct Entry {
    var plan: PoolPlan
    var pool: Pool
    /// The duration of a task in milliseconds: a moving mean. Nil before the first task has ended.
    var serviceTime: Double?
    var seen = Pool.Observation(queued: 0)
  }

  struct State {
    var entries: [String: Entry] = [:]
    /// By the dispatcher's ticks.
    var lastLook: Int64 = 0
  }

  let dispatcher: TaskDispatcher
  let controller: InstanceController
  let wakeTimer: WakeTimer
  let state = Mutex(State())

  /// The share of the latest task in the moving mean.
  private static let weight = 0.2

  /// - Parameters:
  ///   - dispatcher: the bots. Its steady clock is used for the pools too, so that a wall clock that
  ///     is set neither ends nor prolongs a wait.
  ///   - controller: starts and stops instances.
  public init(_ dispatcher: TaskDispatcher, _ controller: InstanceController) {
    (self.dispatcher, self.controller) = (dispatcher, controller)
    wakeTimer = WakeTimer(pause: dispatcher.pause)
    // Weak: the autoscaler holds the dispatcher, and its engine holds the observers.
    dispatcher.tasks.observe { [weak self] in self?.tasksDidChange($0) }
  }

  /// Replaces the pools by those of the settings. Instances of pools that stay keep running.
  public func apply(_ plans: [PoolPlan]) {
    let gone = state.withLock { state in
      let names = Set(plans.map(\.name))
      let gone = state.entries.keys.filter { !names.contains($0) }
      for name in gone { state.entries[name] = nil }
      for plan in plans {
        if state.entries[plan.name] != nil {
          state.entries[plan.name]?.plan = plan
          state.entries[plan.name]?.pool.apply(plan.policy)
        } else {
          state.entries[plan.name] = Entry(plan: plan, pool: Pool(plan.policy))
        }
      }
      return gone
    }
    for name in gone { dispatcher.pool(name, has: []) }
    for plan in plans { show(plan.name) }
    wakeTimer.ring()
  }

  /// Adapts the pools until the task is cancelled. Called once.
  public func work() async {
    wakeTimer.ring()
    for await _ in wakeTimer.rings {
      do {
        try await lookAtAll()
      } catch {
        dispatcher.log(.warning, "Pools can't be examined now; the host retries. \(error)")
        let moment = dispatcher.ticks()
        wakeTimer.ring(at: moment.adding(Pool.interval), now: moment)
      }
    }
  }

  /// Reports that a process has ended or failed. If it is an instance of a pool, the pool replaces
  /// it.
  /// - Parameter instance: the name of the process.
  public func ended(_ instance: String) {
    let moment = dispatcher.ticks()
    let isOurs = change(instance) { $0.failed($1, at: moment) }
    if isOurs { ringSoon() }
  }

  /// The state of each pool, sorted by name.
  public var reports: [PoolReport] {
    state.withLock { state in
      state.entries.values.sorted { $0.plan.name < $1.plan.name }.map { entry in
        PoolReport(
          name: entry.plan.name, policy: entry.plan.policy,
          instances: entry.pool.instances.sorted { $0.key < $1.key }.map {
            .init(
              name: entry.plan.instance($0.key), phase: $0.value,
              tasks: dispatcher.load(of: entry.plan.instance($0.key)))
          }, queued: entry.seen.queued, serviceTime: entry.serviceTime, reason: entry.pool.reason)
      }
    }
  }

  // MARK: Looking

  /// The decision about a pool.
  private struct Look {
    let plan: PoolPlan
    let actions: [Pool.Action]
    /// The moment of the next decision, by the dispatcher's ticks. Nil if time alone changes
    /// nothing.
    let next: Int64?
  }

  /// Decides about every pool, and performs the decisions.
  private func lookAtAll() async throws {
    let moment = dispatcher.ticks()
    let names = state.withLock { state in
      state.lastLook = moment
      return state.entries.keys.sorted()
    }
    guard !names.isEmpty else { return }
    // One read serves all pools: the counts are by type.
    let counts = try await dispatcher.tasks.counts().filter { $0.state == .queued }
    for name in names {
      let look = state.withLock { state -> Look? in
        guard var entry = state.entries[name] else { return nil }
        entry.seen = observation(entry, counts)
        let actions = entry.pool.look(entry.seen, at: moment)
        state.entries[name] = entry
        return Look(
          plan: entry.plan, actions: actions,
          next: entry.pool.nextLook(after: entry.seen, at: moment))
      }
      guard let look else { continue }
      // Outside of the lock: starting and draining take the locks of the dispatcher.
      if !look.actions.isEmpty { carryOut(look.actions, look.plan) }
      if let next = look.next { wakeTimer.ring(at: next, now: moment) }
    }
  }

  /// Returns the queue and the load of a pool.
  private func observation(_ entry: Entry, _ counts: [TaskCount]) -> Pool.Observation {
    let queued = counts.filter { entry.plan.taskTypes.contains($0.type) }
    let load = entry.pool.instances.keys.map { ($0, dispatcher.load(of: entry.plan.instance($0))) }
    return Pool.Observation(
      queued: Int(clamping: queued.reduce(0) { $0 + $1.count }),
      load: Dictionary(uniqueKeysWithValues: load), serviceTime: entry.serviceTime)
  }

  /// Performs the actions of a decision, and publishes the new size.
  private func carryOut(_ actions: [Pool.Action], _ plan: PoolPlan) {
    show(plan.name)
    for action in actions {
      switch action {
      case .start(let number): start(plan.instance(number))
      case .drain(let number): dispatcher.drain(plan.instance(number), true)
      case .resume(let number): dispatcher.drain(plan.instance(number), false)
      case .stop(let number): stop(plan.instance(number))
      }
    }
    if let report = reports.first(where: { $0.name == plan.name }) {
      dispatcher.publishEvent("pool_resized", ["pool": .object(report.json)], about: plan.name)
    }
  }

  /// Starts an instance. A failure counts as the end of the instance, and the pool retries.
  private func start(_ instance: String) {
    Task {
      do {
        try await controller.start(instance)
      } catch {
        dispatcher.log(.warning, "The pool's \(instance) doesn't start; the host retries. \(error)")
        ended(instance)
      }
    }
  }

  /// Stops an instance. It leaves the pool even if it can't be stopped.
  private func stop(_ instance: String) {
    Task {
      do {
        try await controller.stop(instance)
      } catch {
        dispatcher.log(.warning, "\(instance) can't be stopped. \(error)")
      }
      _ = change(instance) { pool, number in pool.stopped(number) }
      ringSoon()
    }
  }

  /// Registers the bots of a pool's instances and removes all others. A stopping instance has no
  /// bot.
  private func show(_ name: String) {
    let bots = state.withLock { state in
      state.entries[name].map { entry in
        entry.pool.instances.filter { $0.value != .stopping }.keys.sorted().map {
          entry.plan.bot(entry.plan.instance($0))
        }
      }
    }
    dispatcher.pool(name, has: bots ?? [])
  }

  /// Changes the pool that an instance belongs to. The name of an instance is `POOL-NUMBER`.
  /// - Returns: whether such a pool exists.
  private func change(_ instance: String, _ body: (inout Pool, Int) -> Void) -> Bool {
    guard let dash = instance.lastIndex(of: "-"),
      let number = Int(instance[instance.index(after: dash)...])
    else { return false }
    let name = String(instance[..<dash])
    return state.withLock { state in
      guard var pool = state.entries[name]?.pool else { return false }
      body(&pool, number)
      state.entries[name]?.pool = pool
      return true
    }
  }

  // MARK: Tasks

  /// Updates the mean durations, and wakes the loop. Called on the writer's thread.
  private func tasksDidChange(_ changes: [TaskChange]) {
    let concerns = state.withLock { state in
      guard !state.entries.isEmpty else { return false }
      var concerns = false
      for change in changes {
        // All changes are examined, because each task that has ended counts in the mean.
        for (name, entry) in state.entries where entry.plan.taskTypes.contains(change.task.type) {
          concerns = true
          guard let took = change.timeTaken else { continue }
          let mean = entry.serviceTime ?? took
          state.entries[name]?.serviceTime = mean + (took - mean) * Self.weight
        }
      }
      return concerns
    }
    if concerns { ringSoon() }
  }

  /// Wakes the loop, at most once in ``Pool/interval``.
  private func ringSoon() {
    let moment = dispatcher.ticks()
    let last = state.withLock { $0.lastLook }
    wakeTimer.ring(at: last.adding(Pool.interval), now: moment)
  }
}

extension TaskChange {
  /// The duration of the attempt that this change has ended, in milliseconds. Nil if it ended none.
  fileprivate var timeTaken: Double? {
    guard former == .running, task.state.isEnded, let started = task.started,
      let finished = task.finished
    else { return nil }
    // At least 1, because the clock may have been set back meanwhile.
    return Double(max(1, finished.subtracting(started)))
  }
}
