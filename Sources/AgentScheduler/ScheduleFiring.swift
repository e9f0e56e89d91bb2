internal import AgentSchedules
internal import AgentStore
internal import AgentSystem
internal import AgentTasks

/// The decision about fire times of one schedule. All its tasks and changes go into one commit.
struct ScheduleFiring: Sendable {
  /// A fire time with its task.
  struct Run: Sendable {
    let time: Int64
    let due: Int64
    /// The two forms of the task: queued at once, or waiting for earlier runs. Both are nil if no
    /// task can be created. `commit` stores one of them.
    var queued: TaskRow?
    var waiting: TaskRow?
    /// Why no task can be created.
    var problem: String?
    var note: String?
  }

  /// The effects of a commit. The caller reports them when the commit is durable.
  struct Result: Sendable {
    var notices: [ScheduleNotice] = []
    var changes: [TaskChange] = []
    /// The running tasks that were cancelled. The caller interrupts their attempts after the
    /// commit.
    var cancelled: [TaskRow] = []
    /// Whether a task waits for the end of earlier ones.
    var hasWaiting = false
    /// Why the last run has no task. Nil if every run has one.
    var refusal: String?
  }

  /// The schedule's row that the decision was made from.
  let row: ScheduleRow
  let overlap: OverlapPolicy
  var runs: [Run]
  /// The latest of the fire times that have no run; nil if there are none. Its record stands for
  /// all of them.
  var missed: Int64?
  /// The schedule's row after the commit. Nil for a triggered run, which doesn't change the row.
  let after: ScheduleRow?
  let now: Int64

  /// The number of decisions that are kept for a schedule. If the clock is set back by fewer fire
  /// times, no time has a second run.
  static let remembered = 1_000

  /// Stores the decision: the tasks, the records of the fire times, and the schedule's row. Runs on
  /// the writer's thread, in the transaction.
  /// - Returns: nil if the schedule has changed or was removed since it was read. Nothing is stored
  ///   then.
  func commit(_ transaction: any StoreTransaction) throws -> Result? {
    if let after {
      guard try transaction.schedules.update(after, from: row) else { return nil }
    } else if try transaction.schedules.schedule(row.id) == nil {
      return nil
    }
    var result = Result()
    // A parallel run doesn't depend on open tasks, and there may be many of them.
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
    // Without a limit, a schedule that fires each second would fill the database.
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
    // Waiting runs are open, but they don't run: the policy counts them apart.
    let held = open.count { $0.state == .waiting }
    // The decision is made here and not before the transaction: an earlier run may have ended
    // meanwhile.
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
      // `open` holds only running tasks now: those that waited ended when they were cancelled.
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
    // A run without `after` was triggered. Its record says so; a refused one keeps its outcome.
    let isTask = task != nil && after == nil
    return ScheduleFire(
      schedule: row.id, time: run.time, decided: now,
      outcome: (isTask ? .triggered : outcome).rawValue, task: task, note: note ?? run.note)
  }

  private func insert(
    _ task: TaskRow, open: inout [TaskRow], tasks: any TaskStorage, result: inout Result
  ) throws -> Int64 {
    let made = try TaskEngine.insert(task, endsWithTask: false, tasks).task
    // The next run of the same commit must see this one as an earlier run.
    if overlap != .parallel { open.append(made) }
    result.changes.append(TaskChange(nil, made))
    return made.id
  }

  private static let nextIsDue = "The next run is due."

  /// Cancels the open tasks. Afterwards `open` holds the running ones, which end later.
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
        // Its attempt is interrupted after the commit. Until it ends, the new run waits.
        left.append(change.task)
        result.cancelled.append(task)
      }
    }
    open = left
  }
}
