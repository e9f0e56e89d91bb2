internal import AgentSchedules
internal import AgentStore
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// The loop that fires schedules, and the handling of clocks that are set.
extension Scheduler {
  // Bounds of one transaction. Every other write of the host waits for it.
  private static let maxAtOnce = 200
  private static let maxTasksAtOnce = 1_000

  /// Fires due schedules and waits for the next one, until the task is cancelled. Notices within a
  /// minute that the clock was set.
  func runTimers(_ store: any Store) async {
    // The clock may have been set while the host was stopped: the first round checks for it.
    var latest = Int64.max
    wakeTimer.ring()
    for await _ in wakeTimer.rings {
      do {
        try await adoptWanted()
        // `fire` uses only moments that `latest` has recorded. Otherwise, a clock that goes back
        // between two readings could go unnoticed.
        repeat {
          let moment = now()
          if moment < latest { try await rewind(store, to: moment) }
          latest = moment
        } while try await fire(store, by: latest)
        try await beginWaiting(store)
        // Asked after all writes of this round, which may have moved the next wake-up.
        if let next = try await store.read({ try $0.schedules.nextScheduleWake() }) {
          wakeTimer.ring(at: next, now: now())
        }
      } catch {
        log(.warning, "Schedules can't be processed now; the host retries. \(error)")
        wakeTimer.ring(at: now().adding(1_000), now: now())
      }
    }
  }

  /// Opens decided fire times for a second decision after the clock was set back to `moment`. Their
  /// records prevent a second run.
  private func rewind(_ store: any Store, to moment: Int64) async throws {
    var next: Int64 = 0
    while true {
      let from = next
      // In pages, so that no read and no write holds all schedules.
      let (rows, forgotten) = try await store.read { snapshot in
        let rows = try snapshot.schedules.schedules(
          handledAfter: moment, from: from, limit: Self.maxAtOnce)
        return (rows, try rows.map { try Self.forgotten(of: $0.id, snapshot.schedules) })
      }
      guard let last = rows.last else { return }
      next = last.id + 1
      var changes: [(ScheduleRow, ScheduleRow)] = []
      for (row, forgotten) in zip(rows, forgotten) {
        var changed = row
        // The host may notice the change a minute late.
        let start = max(moment.adding(-Self.grace), min(row.created, moment))
        changed.handled = min(row.handled, max(start, forgotten))
        // A definition that can't be read is reported when its time comes.
        guard let (_, schedule) = try? await compiled(row) else { continue }
        changes.append((row, changed.awaiting(schedule)))
      }
      let ready = changes
      // Not `write`: no task and no state changes, so there is nothing to settle.
      try await store.write { transaction in
        for (row, changed) in ready { _ = try transaction.schedules.update(changed, from: row) }
      }
      log(.info, "The clock was set back; \(ready.count) schedules follow it.")
    }
  }

  /// Returns the fire time up to which the records of runs may be removed, in Unix milliseconds.
  /// `rewind` doesn't go back beyond it, because a second run couldn't be prevented.
  private static func forgotten(
    of schedule: Int64, _ schedules: any ScheduleReader
  ) throws -> Int64 {
    let fires = try schedules.fires(
      of: schedule, before: nil, limit: ScheduleFiring.remembered)
    return fires.count < ScheduleFiring.remembered ? .min : fires.last?.time ?? .min
  }

  /// Decides about the fire times that are due, at most `maxAtOnce` schedules and about
  /// `maxTasksAtOnce` tasks.
  /// - Returns: whether anything was due. The caller then calls again.
  private func fire(_ store: any Store, by moment: Int64) async throws -> Bool {
    let due = try await store.read {
      try $0.schedules.schedulesDue(by: moment, limit: Self.maxAtOnce)
    }
    guard !due.isEmpty else { return false }
    var firings: [ScheduleFiring] = []
    var tasks = 0
    // The schedules that are left out stay due.
    for row in due where tasks < Self.maxTasksAtOnce {
      let firing = await firing(of: row, at: moment)
      tasks += firing.runs.count
      firings.append(firing)
    }
    let ready = firings
    try await write(store) { transaction in
      try ready.map { try self.commit($0, transaction) }
    } settle: { results in
      for (firing, result) in zip(ready, results) {
        if let result { self.settle(result, of: firing.row.id) }
      }
    }
    return true
  }

  /// Decides about the fire times of a schedule that passed up to `moment`. An error postpones the
  /// schedule.
  private func firing(of row: ScheduleRow, at moment: Int64) async -> ScheduleFiring {
    do {
      let (definition, schedule) = try await compiled(row)
      let decision = definition.misfire.decide(
        schedule, handled: row.handled, now: moment, grace: Self.grace)
      var after = row
      after.handled = decision.handled
      var firing = ScheduleFiring(
        row: row, overlap: definition.overlap,
        runs: try decision.fires.map { try run(of: row, definition, schedule, at: $0) },
        after: after.awaiting(schedule), now: moment)
      if decision.leftOut {
        if firing.runs.isEmpty {
          // Without a run, a record of its own shows that fire times were missed.
          firing.missed = decision.handled
        } else {
          firing.runs[0].note = "Earlier fire times were missed while nothing could run."
        }
      }
      return firing
    } catch {
      // While modules start, their task types aren't known; that is no error of the schedule.
      let isSoon = (error as? TaskError)?.code == .notReady
      if !isSoon {
        log(.error, "The schedule \"\(row.name)\" can't fire; the host retries soon. \(error)")
      }
      var after = row
      after.wake = moment.adding(isSoon ? 1_000 : 600_000)
      // Without runs the policy isn't used. `parallel` avoids a query for open tasks.
      return ScheduleFiring(row: row, overlap: .parallel, runs: [], after: after, now: moment)
    }
  }

  /// Returns a fire time with the task that it creates, or the reason why it has none.
  /// - Throws: `notReady` while the task types aren't known.
  func run(
    of row: ScheduleRow, _ definition: ScheduleDefinition, _ schedule: Schedule, at time: Int64
  ) throws(TaskError) -> ScheduleFiring.Run {
    var run = ScheduleFiring.Run(time: time, due: schedule.due(time))
    guard let task = definition.task else { return run }
    do throws(TaskError) {
      // Both forms are prepared here. The transaction chooses one, because it alone knows the open
      // runs.
      var draft = task.draft(of: row, at: time)
      // The caller's permission was checked when the schedule was written or triggered.
      let authority = TaskAuthority.unrestricted(as: "schedule:\(row.name)")
      run.queued = try engine.row(of: draft, by: authority)
      draft.waits = true
      run.waiting = try engine.row(of: draft, by: authority)
    } catch {
      // The fire time must not be lost only because the host is still starting.
      if error.code == .notReady { throw error }
      run.problem = error.message
    }
    return run
  }

  // MARK: Runs that wait for others

  /// Notes the schedules whose runs have ended, and wakes the loop for those with waiting runs.
  /// Called on the writer's thread with durable changes.
  func tasksDidChange(_ changes: [TaskChange]) {
    let isAwaited = state.withLock { state in
      // Most changes concern no schedule, and this must not hold up the writer's thread.
      if state.waiting.isEmpty, state.unchecked.isEmpty { return false }
      var isAwaited = false
      for change in changes where change.task.state.isEnded || change.isRemoved {
        guard let id = change.task.schedule, state.waiting.contains(id) else { continue }
        state.unchecked.insert(id)
        isAwaited = true
      }
      return isAwaited
    }
    if isAwaited { wakeTimer.ring() }
  }

  /// Starts waiting runs of the schedules that are marked as unchecked.
  private func beginWaiting(_ store: any Store) async throws {
    for id in state.withLock({ $0.unchecked }) {
      // Marked as checked before the read: an end that is reported from now on marks it again.
      state.withLock { state in
        state.unchecked.remove(id)
        state.waiting.insert(id)
      }
      do {
        try await beginNext(of: id, store)
      } catch {
        // The end of a run isn't reported twice: a failed write must not lose it.
        state.withLock { _ = $0.unchecked.insert(id) }
        throw error
      }
    }
  }

  /// Starts the first waiting run of a schedule if no other run is open.
  private func beginNext(of id: Int64, _ store: any Store) async throws {
    let (moment, ageing) = (now(), engine.plan.ageing)
    try await write(store) { transaction in
      let open = try transaction.schedules.openTasks(of: id)
      let waiting = open.filter { $0.state == .waiting }
      guard let first = waiting.first, open.count == waiting.count else {
        return (TaskChange?.none, !waiting.isEmpty)
      }
      let change = try TaskTransition(in: transaction, at: moment).apply(to: first) {
        try $0.ask(at: nil, ageing: ageing)
      }
      try self.engine.record(change.map { [$0] } ?? [], in: transaction)
      return (change, waiting.count > 1)
    } settle: { change, isWaiting in
      self.state.withLock { state in
        // A run that ended before this write has marked the schedule again.
        if !isWaiting, !state.unchecked.contains(id) { state.waiting.remove(id) }
      }
      if let change { self.engine.settle([change]) }
    }
  }
}

extension ScheduleRow {
  /// Returns the row with the next fire time after `handled`, and the moment at which its run is
  /// due.
  func awaiting(_ schedule: Schedule) -> ScheduleRow {
    var row = self
    row.next = schedule.next(after: handled)
    row.wake = state == .active ? row.next.map(schedule.due) : nil
    return row
  }
}
