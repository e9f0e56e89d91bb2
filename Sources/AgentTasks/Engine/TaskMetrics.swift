public import AgentMetrics
internal import AgentStore
internal import Synchronization
internal import AgentSystem

/// Counts the changes of tasks as metrics. docs/metrics.md lists them.
final class TaskMetrics: Sendable {
  /// The upper bounds of the buckets for waiting times and durations in seconds, up to a day.
  private static let seconds: [Double] = [
    0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 86_400,
  ]

  private struct Handles {
    let created: Counter
    let attempts: Counter
    let wait: Histogram
    let run: Histogram
    var outcomes: [TaskState: Counter] = [:]
  }

  private let registry: MetricsRegistry
  private let types = Mutex<[String: Handles]>([:])

  init(_ registry: MetricsRegistry) { self.registry = registry }

  func count(_ changes: [TaskChange], ageing: Int64) {
    types.withLock { types in
      for change in changes where !change.isRemoved && change.changesState {
        let task = change.task
        var handles = types[task.type] ?? handles(task.type)
        count(change, ageing: ageing, handles: &handles)
        types[task.type] = handles
      }
    }
  }

  private func count(_ change: TaskChange, ageing: Int64, handles: inout Handles) {
    let task = change.task
    guard let former = change.former else { return handles.created.increment() }
    if former == .queued, task.state.isHeld {
      handles.attempts.increment()
      // The rank is the time of queueing minus the value of the priority in milliseconds.
      let queued = task.rank.adding(task.priority.multiplied(ageing))
      handles.wait.observe(Self.span(queued, task.updated))
    }
    if former == .running, let started = task.started {
      handles.run.observe(Self.span(started, task.updated))
    }
    guard task.state.isEnded, !former.isEnded else { return }
    let counter = handles.outcomes[task.state] ?? outcome(task.state, of: task.type)
    counter.increment()
    handles.outcomes[task.state] = counter
  }

  private static func span(_ from: Int64, _ to: Int64) -> Double {
    Double(max(0, to.subtracting(from))) / 1_000
  }

  private func handles(_ type: String) -> Handles {
    Handles(
      created: registry.counter(
        "bulkhead_tasks_created_total", help: "Created tasks, by type.",
        labels: ["type": type]),
      attempts: registry.counter(
        "bulkhead_tasks_attempts_total", help: "Leases of tasks, by type.",
        labels: ["type": type]),
      wait: registry.histogram(
        "bulkhead_task_wait_seconds", help: "Time that tasks were queued until they started.",
        labels: ["type": type], buckets: Self.seconds),
      run: registry.histogram(
        "bulkhead_task_run_seconds", help: "Duration of attempts.", labels: ["type": type],
        buckets: Self.seconds))
  }

  /// The metrics that have a label for the type.
  private static let names: Set<String> = [
    "bulkhead_tasks_created_total", "bulkhead_tasks_attempts_total", "bulkhead_task_wait_seconds",
    "bulkhead_task_run_seconds", "bulkhead_tasks_completed_total",
  ]

  /// Removes the metrics of all other types. Otherwise, they would grow with every former type.
  func keep(_ existing: Set<String>) {
    let gone = types.withLock { types in
      let gone = Set(types.keys).subtracting(existing)
      for type in gone { types[type] = nil }
      return gone
    }
    if gone.isEmpty { return }
    registry.remove { name, labels in
      Self.names.contains(name) && (labels["type"].map(gone.contains) ?? false)
    }
  }

  private func outcome(_ state: TaskState, of type: String) -> Counter {
    registry.counter(
      "bulkhead_tasks_completed_total", help: "Ended tasks, by type and outcome.",
      labels: ["type": type, "outcome": state.rawValue])
  }
}

extension TaskEngine {
  /// Removes the metrics of types that no longer exist: no task has them, and neither the plan nor a
  /// bot does.
  func forgetTypes(_ store: any Store) async {
    let all = metrics.withLock(\.self)
    if all.isEmpty { return }
    let counts: [TaskCount]
    do {
      counts = try await store.read { try $0.tasks.taskCounts() }
    } catch {
      return log(.warning, "The types of tasks can't be read now; the host retries. \(error)")
    }
    // After the read: a task that was created since has a type of these.
    let known = state.withLock { $0.typesOfBots.known.union($0.plan.types.keys) }
    for metrics in all { metrics.keep(known.union(counts.map(\.type))) }
  }

  /// Counts the changes of tasks in a registry from now on.
  public func count(in registry: MetricsRegistry) {
    let metrics = TaskMetrics(registry)
    self.metrics.withLock { $0.append(metrics) }
    observe { [weak self] changes in
      if let self { metrics.count(changes, ageing: self.plan.ageing) }
    }
    registry.collect { [weak self] page in
      guard let (totals, sizes) = try? await self?.totalsAndSizes() else { return }
      for (kind, bytes) in [
        ("ended", sizes.ended), ("logs", sizes.logs), ("artifacts", sizes.artifacts),
      ] {
        page.gauge(
          "bulkhead_task_bytes", help: "Bytes of ended tasks, of logs and of artifacts.",
          labels: ["kind": kind], value: Int(clamping: bytes))
      }
      // States without tasks are reported too, because a missing series doesn't mean 0 to a
      // monitoring system.
      for state in TaskState.allCases {
        let number = Int(clamping: totals[state] ?? 0)
        page.gauge(
          "bulkhead_tasks", help: "Stored tasks, by state.",
          labels: ["state": state.rawValue], value: number)
        guard state == .queued else { continue }
        page.gauge(
          "bulkhead_task_queue_size", help: "Tasks that are ready and not yet taken.",
          value: number)
      }
    }
  }
}
