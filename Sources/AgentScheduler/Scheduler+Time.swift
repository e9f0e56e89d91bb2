internal import AgentSchedules
internal import AgentStore
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// What happens because time passes, or doesn't pass as it should.
extension Scheduler {
  private static let maxAtOnce = 200
  private static let maxTasksAtOnce = 1_000

  /// Fires what is due, and sleeps until the next. A clock that is set is noticed within a minute.
  func runTimers(_ store: any Store) async {
    // Nobody knows how the clock stood when the agent ran last.
    var latest = Int64.max
    wakeTimer.ring()
    for await _ in wakeTimer.rings {
      do {
        try await adoptWanted()
        // By no moment that isn't remembered: that the clock went back shows by the latest one.
        repeat {
          let moment = now()
          if moment < latest { try await rewind(store, to: moment) }
          latest = moment
        } while try await fire(store, by: latest)
        try await beginWaiting(store)
        if let next = try await store.read({ try $0.schedules.nextScheduleWake() }) {
          wakeTimer.ring(at: next, now: now())
        }
      } catch {
        log(.warning, "Schedules can't be processed now; the host retries. \(error)")
        wakeTimer.ring(at: now().adding(1_000), now: now())
      }
    }
  }

  /// The clock was set back: times that were decided about and come again are asked for again. The
  /// runs for them are known by their times, so that nothing runs twice.
  private func rewind(_ store: any Store, to moment: Int64) async throws {
    var next: Int64 = 0
    while true {
      let from = next
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
        // It may have been noticed a minute later.
        let start = max(moment.adding(-Self.grace), min(row.created, moment))
        changed.handled = min(row.handled, max(start, forgotten))
        // One that can't be read is looked at when it is due.
        guard let (_, schedule) = try? await compiled(row) else { continue }
        changes.append((row, changed.awaiting(schedule)))
      }
      let ready = changes
      try await store.write { transaction in
        for (row, changed) in ready { _ = try transaction.schedules.update(changed, from: row) }
      }
      log(.info, "The clock was set back; \(ready.count) schedules follow it.")
    }
  }

  /// Up to when it isn't remembered any more which times of a schedule had a run: none of these has
  /// another.
  private static func forgotten(
    of schedule: Int64, _ schedules: any ScheduleReader
  ) throws -> Int64 {
    let fires = try schedules.fires(
      of: schedule, before: nil, limit: ScheduleFiring.remembered)
    return fires.count < ScheduleFiring.remembered ? .min : fires.last?.time ?? .min
  }

  /// Decides about what is due.
  /// - Returns: whether there was something.
  private func fire(_ store: any Store, by moment: Int64) async throws -> Bool {
    let due = try await store.read {
      try $0.schedules.schedulesDue(by: moment, limit: Self.maxAtOnce)
    }
    guard !due.isEmpty else { return false }
    var firings: [ScheduleFiring] = []
    var tasks = 0
    // The rest stays due, and the caller asks again as long as anything was.
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

  /// What is to become of a schedule's times up to now.
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
          firing.missed = decision.handled
        } else {
          firing.runs[0].note = "Earlier fire times were missed while nothing could run."
        }
      }
      return firing
    } catch {
      let isSoon = (error as? TaskError)?.code == .notReady
      if !isSoon {
        log(.error, "The schedule \"\(row.name)\" can't fire; the host retries soon. \(error)")
      }
      var after = row
      after.wake = moment.adding(isSoon ? 1_000 : 600_000)
      // Without runs no policy is needed, and `parallel` reads no open tasks.
      return ScheduleFiring(row: row, overlap: .parallel, runs: [], after: after, now: moment)
    }
  }

  /// One fire time with the task that it makes, or why there is none.
  /// - Throws: `notReady` while it isn't known yet what can be made.
  func run(
    of row: ScheduleRow, _ definition: ScheduleDefinition, _ schedule: Schedule, at time: Int64
  ) throws(TaskError) -> ScheduleFiring.Run {
    var run = ScheduleFiring.Run(time: time, due: schedule.due(time))
    guard let task = definition.task else { return run }
    do throws(TaskError) {
      // Both forms are made here. The transaction chooses one, since only it knows which earlier
      // runs are still open.
      var draft = task.draft(of: row, at: time)
      // Whether it may be made was decided when the schedule was written or triggered.
      let authority = TaskAuthority.unrestricted(as: "schedule:\(row.name)")
      run.queued = try engine.row(of: draft, by: authority)
      draft.waits = true
      run.waiting = try engine.row(of: draft, by: authority)
    } catch {
      if error.code == .notReady { throw error }
      run.problem = error.message
    }
    return run
  }

  // MARK: Runs that wait for others

  /// Tasks have changed: what waited for the end of one may begin. On the thread that stores.
  func tasksDidChange(_ changes: [TaskChange]) {
    let isAwaited = state.withLock { state in
      // Most changes concern no schedule, and the writer's thread must not be held up.
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

  private func beginWaiting(_ store: any Store) async throws {
    for id in state.withLock({ $0.unchecked }) {
      // An end that is reported from now on asks for another look.
      state.withLock { state in
        state.unchecked.remove(id)
        state.waiting.insert(id)
      }
      do {
        try await beginNext(of: id, store)
      } catch {
        state.withLock { _ = $0.unchecked.insert(id) }
        throw error
      }
    }
  }

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
        // A run may have ended before the write, and its task asks for another look.
        if !isWaiting, !state.unchecked.contains(id) { state.waiting.remove(id) }
      }
      if let change { self.engine.settle([change]) }
    }
  }
}

extension ScheduleRow {
  /// With the next fire time after those that are decided about, and when it is due.
  func awaiting(_ schedule: Schedule) -> ScheduleRow {
    var row = self
    row.next = schedule.next(after: handled)
    row.wake = state == .active ? row.next.map(schedule.due) : nil
    return row
  }
}
