internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// Keeps pools as large as their tasks need. It looks when tasks change, no more than once a
/// second, and by itself only while something goes on.
///
/// Nothing of it is stored: instances end with the host, and the next one starts with the fewest.
public final class PoolAutoscaler: Sendable {
  struct Entry {
    var plan: PoolPlan
    var pool: Pool
    /// Milliseconds that a task takes: a mean in which the latest count most.
    var serviceTime: Double?
    var seen = Pool.Observation(queued: 0)
  }

  struct State {
    var entries: [String: Entry] = [:]
    var lastLook: Int64 = 0
  }

  let dispatcher: TaskDispatcher
  let controller: InstanceController
  let wakeTimer: WakeTimer
  let state = Mutex(State())

  /// What the latest task counts for in the mean.
  private static let weight = 0.2

  /// - Parameters:
  ///   - dispatcher: the bots; its clock is the pools'.
  ///   - hands: starts and stops instances.
  public init(_ dispatcher: TaskDispatcher, _ controller: InstanceController) {
    (self.dispatcher, self.controller) = (dispatcher, controller)
    wakeTimer = WakeTimer(pause: dispatcher.pause)
    dispatcher.tasks.observe { [weak self] in self?.tasksDidChange($0) }
  }

  /// Goes by these pools from now on.
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

  /// Keeps them until the task is cancelled.
  public func work() async {
    wakeTimer.ring()
    for await _ in wakeTimer.rings {
      do {
        try await lookAtAll()
      } catch {
        dispatcher.log(.warning, "Pools can't be examined now; the host retries. \(error)")
        wakeTimer.ring(at: dispatcher.now().adding(Pool.interval), now: dispatcher.now())
      }
    }
  }

  /// A process has ended, or has failed: one of a pool's is missed.
  public func ended(_ instance: String) {
    let moment = dispatcher.now()
    let isOurs = change(instance) { $0.failed($1, at: moment) }
    if isOurs { ringSoon() }
  }

  /// How they stand, by name.
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

  private struct Look {
    let plan: PoolPlan
    let actions: [Pool.Action]
    /// In Unix milliseconds; nil when nothing changes with time alone.
    let next: Int64?
  }

  private func lookAtAll() async throws {
    let moment = dispatcher.now()
    let names = state.withLock { state in
      state.lastLook = moment
      return state.entries.keys.sorted()
    }
    guard !names.isEmpty else { return }
    // One read serves all pools.
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
      if !look.actions.isEmpty { carryOut(look.actions, look.plan) }
      if let next = look.next { wakeTimer.ring(at: next, now: moment) }
    }
  }

  private func observation(_ entry: Entry, _ counts: [TaskCount]) -> Pool.Observation {
    let queued = counts.filter { entry.plan.taskTypes.contains($0.type) }
    let load = entry.pool.instances.keys.map { ($0, dispatcher.load(of: entry.plan.instance($0))) }
    return Pool.Observation(
      queued: Int(clamping: queued.reduce(0) { $0 + $1.count }),
      load: Dictionary(uniqueKeysWithValues: load), serviceTime: entry.serviceTime)
  }

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

  /// Registers the bots of a pool's instances, and no others.
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

  /// Changes the pool of an instance.
  /// - Returns: whether it is one of a pool.
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

  /// On the thread that stores.
  private func tasksDidChange(_ changes: [TaskChange]) {
    let concerns = state.withLock { state in
      guard !state.entries.isEmpty else { return false }
      var concerns = false
      for change in changes {
        // No return at the first match: each task that has ended counts in the mean.
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

  private func ringSoon() {
    let moment = dispatcher.now()
    let last = state.withLock { $0.lastLook }
    wakeTimer.ring(at: last.adding(Pool.interval), now: moment)
  }
}

extension TaskChange {
  /// The milliseconds of an attempt that has ended with it.
  fileprivate var timeTaken: Double? {
    guard former == .running, task.state.isEnded, let started = task.started,
      let finished = task.finished
    else { return nil }
    // At least 1: the clock may have been set back meanwhile.
    return Double(max(1, finished.subtracting(started)))
  }
}
