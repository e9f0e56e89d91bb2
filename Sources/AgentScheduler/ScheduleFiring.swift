internal import AgentSchedules
internal import AgentStore
internal import AgentSystem
internal import AgentTasks

/// Fire times of one schedule that are to become tasks, all in one commit.
struct ScheduleFiring: Sendable {
  /// One fire time.
  struct Run: Sendable {
    let time: Int64
    let due: Int64
    /// The task as it is queued, and as it waits for the runs before it.
    var queued: TaskRow?
    var waiting: TaskRow?
    /// Why there is no task.
    var problem: String?
    var note: String?
  }

  /// What a commit has done.
  struct Result: Sendable {
    var notices: [ScheduleNotice] = []
    var changes: [TaskChange] = []
    /// Tasks that are being done and were cancelled.
    var cancelled: [TaskRow] = []
    /// A task waits for the end of others.
    var hasWaiting = false
    /// Why the last run was left out.
    var refusal: String?
  }

  /// The schedule as it was when this was decided.
  let row: ScheduleRow
  let overlap: OverlapPolicy
  var runs: [Run]
  /// A time up to which others were left out.
  var missed: Int64?
  /// The schedule's row afterwards; nil where somebody wants a run beside its times.
  let after: ScheduleRow?
  let now: Int64

  /// The latest fire times that are remembered beyond `handled`, for clocks that are set
  /// back.
  static let remembered = 1_000

  /// On the writer's thread.
  /// - Returns: nil when the schedule has changed meanwhile: nothing was done.
  func commit(_ transaction: any StoreTransaction) throws -> Result? {
    if let after {
      guard try transaction.schedules.update(after, from: row) else { return nil }
    } else if try transaction.schedules.schedule(row.id) == nil {
      return nil
    }
    var result = Result()
    // A parallel run doesn't ask for open tasks, however many there are.
    var open = overlap == .parallel ? [] : try transaction.schedules.openTasks(of: row.id)
    // A fire time has one run, even if the clock was set back and the time comes again.
    for run in runs where try transaction.schedules.fire(of: row.id, at: run.time) == nil {
      let fire = try place(run, open: &open, transaction: transaction, result: &result)
      try note(fire, late: now.subtracting(run.due), in: transaction.schedules, result: &result)
    }
    if let missed, try transaction.schedules.fire(of: row.id, at: missed) == nil {
      let fire = ScheduleFire(
        schedule: row.id, time: missed, decided: now, outcome: ScheduleOutcome.missed.rawValue,
        note: "It was missed while nothing could run, possibly with others before it.")
      try note(fire, late: now.subtracting(missed), in: transaction.schedules, result: &result)
    }
    try transaction.schedules.keepFires(of: row.id, latest: Self.remembered)
    return result
  }

  private func note(
    _ fire: ScheduleFire, late: Int64, in schedules: any ScheduleStorage, result: inout Result
  ) throws {
    _ = try schedules.insert(fire)
    result.notices.append(.decided(after ?? row, fire, lateness: max(0, late)))
  }

  private func place(
    _ run: Run, open: inout [TaskRow], transaction: any StoreTransaction,
    result: inout Result
  ) throws -> ScheduleFire {
    guard let queued = run.queued, let waiting = run.waiting else {
      result.refusal = run.problem
      return fire(run, outcome: .failed, note: run.problem)
    }
    let held = open.count { $0.state == .waiting }
    switch overlap.decide(running: open.count - held, waiting: held) {
    case .start:
      return fire(
        run, outcome: .started,
        task: try insert(queued, open: &open, tasks: transaction.tasks, result: &result))
    case .skip:
      let first = open.first?.id ?? 0
      result.refusal = "Task \(first), an earlier run, has not ended."
      return fire(run, outcome: .skipped, note: result.refusal)
    case .wait:
      result.hasWaiting = true
      return fire(
        run, outcome: .waiting,
        task: try insert(waiting, open: &open, tasks: transaction.tasks, result: &result))
    case .cancelOthersThenWait:
      try cancel(&open, transaction: transaction, result: &result)
      result.hasWaiting = !open.isEmpty
      let outcome: ScheduleOutcome = open.isEmpty ? .started : .waiting
      let task = open.isEmpty ? queued : waiting
      return fire(
        run, outcome: outcome,
        task: try insert(task, open: &open, tasks: transaction.tasks, result: &result))
    }
  }

  private func fire(
    _ run: Run, outcome: ScheduleOutcome, task: Int64? = nil, note: String? = nil
  ) -> ScheduleFire {
    let isTask = task != nil && after == nil
    return ScheduleFire(
      schedule: row.id, time: run.time, decided: now,
      outcome: (isTask ? .triggered : outcome).rawValue, task: task, note: note ?? run.note)
  }

  private func insert(
    _ task: TaskRow, open: inout [TaskRow], tasks: any TaskStorage, result: inout Result
  ) throws -> Int64 {
    let made = try TaskEngine.insert(task, endsWithTask: false, tasks).task
    if overlap != .parallel { open.append(made) }
    result.changes.append(TaskChange(nil, made))
    return made.id
  }

  private static let nextIsDue = "The next run is due."

  /// Cancels what has not ended; what is being done stays until it has.
  private func cancel(
    _ open: inout [TaskRow], transaction: any StoreTransaction, result: inout Result
  ) throws {
    var left: [TaskRow] = []
    let transition = TaskTransition(
      in: transaction, at: now, by: "schedule:\(row.name)", leaseEnds: .withdrawn(Self.nextIsDue))
    for task in open {
      let change = try transition.apply(to: task) {
        _ = try $0.cancel(isForced: false, note: Self.nextIsDue)
      }
      guard let change else { continue }
      result.changes.append(change)
      if !change.task.state.isEnded {
        // The host's attempt is interrupted after the commit, and the new run waits for its end.
        left.append(change.task)
        result.cancelled.append(task)
      }
    }
    open = left
  }
}
