public import AgentJSON
internal import AgentSchedules
public import AgentStore
internal import AgentSystem
public import AgentTasks

/// Requests of users and programs about schedules.
extension Scheduler {
  // MARK: Looking

  /// Returns the schedule with this id or name.
  /// - Parameter reference: digits are an id; every other text is a name.
  /// - Throws: `missing`.
  public func schedule(_ reference: String) async throws -> ScheduleRow {
    try await readyStore().read { try Self.find(reference, $0.schedules) }
  }

  /// The maximum number of schedules that a page examines. A search that matches no name would
  /// otherwise read all of them in one query.
  static let maxLooked = 10_000

  /// Returns a page of the selected schedules, in the order of their ids.
  public func schedules(_ selection: ScheduleSelection) async throws -> SchedulePage {
    var bounded = selection
    bounded.look = Self.maxLooked
    let chosen = bounded
    return try await readyStore().read { try $0.schedules.page(chosen) }
  }

  /// Returns the latest decisions about a schedule's fire times, the latest first.
  /// - Parameters:
  ///   - time: the fire time, in Unix milliseconds, before which the decisions are. Nil means all.
  ///   - limit: the maximum number of decisions.
  /// - Throws: `missing`.
  public func fires(
    of reference: String, before time: Int64?, limit: Int
  ) async throws -> [ScheduleFire] {
    try await readyStore().read { snapshot in
      let row = try Self.find(reference, snapshot.schedules)
      return try snapshot.schedules.fires(of: row.id, before: time, limit: limit)
    }
  }

  /// Returns the next fire times of a schedule, in Unix milliseconds. A paused schedule has them
  /// too.
  /// - Throws: `missing`.
  public func upcoming(_ reference: String, _ count: Int) async throws -> [Int64] {
    let row = try await schedule(reference)
    let (_, schedule) = try await compiled(row)
    // If the clock was set back, times up to `handled` have been decided already.
    return schedule.upcoming(count, after: max(now(), row.handled))
  }

  /// Returns the next fire times of a definition, in Unix milliseconds. Nothing is stored.
  /// - Throws: `invalid`.
  public func preview(_ definition: ScheduleDefinition, _ count: Int) async throws -> [Int64] {
    try await compiled(definition, id: 0, created: now()).upcoming(count, after: now())
  }

  /// Returns the schedule with this id or name, from a snapshot or a transaction.
  /// - Throws: `missing`.
  static func find(
    _ reference: String, _ schedules: any ScheduleReader
  ) throws -> ScheduleRow {
    let isNumber = reference.allSatisfy(\.isNumber)
    let found =
      try isNumber
      ? Int64(reference).flatMap { try schedules.schedule($0) }
      : schedules.schedule(named: reference)
    guard let found else {
      throw TaskError(
        .missing,
        "There is no schedule \"\(reference)\". \"agent schedule list\" shows them.")
    }
    return found
  }

  // MARK: Changing

  /// Creates a schedule. It is durable when this returns.
  /// - Parameter authority: the caller, which must be permitted to create the task.
  /// - Throws: `invalid` if it would never fire or its task can't be created; `conflict` if another
  ///   schedule has the name.
  public func create(
    _ draft: ScheduleDraft, by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    try ScheduleDraft.check(draft.name)
    try check(draft.definition.task, of: draft.name, by: authority)
    return try await insert(draft, source: nil)
  }

  /// Creates a schedule whose tasks are copies of an existing one.
  /// - Parameters:
  ///   - task: the id of the task to copy.
  ///   - name: the name of the schedule. Nil means the task's name, with a number if it is taken.
  /// - Throws: `missing` without such a task, and the errors of ``create(_:by:)``.
  public func create(
    like task: Int64, _ definition: ScheduleDefinition, named name: String?,
    by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    let task = try await engine.task(task)
    var definition = definition
    definition.task = ScheduledTask(task)
    if let name { return try await create(ScheduleDraft(name: name, definition), by: authority) }
    // A name of digits only would be read as an id.
    let plain = task.name.allSatisfy(\.isNumber) ? "task \(task.name)" : task.name
    for number in 1...100 {
      // If another schedule has the name, the next number is tried.
      let free = number == 1 ? plain : "\(plain) (\(number))"
      do {
        return try await create(ScheduleDraft(name: free, definition), by: authority)
      } catch let error as TaskError where error.code == .conflict {}
    }
    throw TaskError(.conflict, "There are many schedules named \"\(plain)\"; give this one a name.")
  }

  /// Applies a merge patch to a schedule: `name`, and the members of a definition. `null` removes a
  /// member.
  /// - Parameter version: the version that the caller has read. Nil changes any version.
  /// - Throws: `conflict` if the version differs, the schedule comes from the settings, or another
  ///   schedule has the name; `invalid`; `missing`.
  public func edit(
    _ reference: String, _ patch: JSONObject, version: Int64? = nil, by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    try await change(reference) { row in
      try Self.refuseSettings(row)
      if let version, version != row.version { throw Self.changedMeanwhile(row) }
      let former = try ScheduleDefinition(stored: row.definition)
      var changed = row
      var definition = try former.changed(by: patch)
      // The row's state says whether the schedule is paused. The member counts at the creation
      // only.
      definition.isPaused = false
      if let name = patch["name"]?.string {
        try ScheduleDraft.check(name)
        changed.name = name
      }
      // The members that stay are checked too: the caller becomes responsible for the whole task.
      try self.check(definition.task, of: changed.name, by: authority)
      return Change(
        row: changed, definition: definition, keepsTimes: definition.hasTimes(of: former))
    }
  }

  /// Pauses a schedule. Its open tasks go on.
  /// - Throws: `missing`.
  public func pause(_ reference: String) async throws -> ScheduleRow {
    try await change(reference) { row in
      var changed = row
      changed.state = .paused
      return Change(
        row: changed, definition: try ScheduleDefinition(stored: row.definition), keepsTimes: true)
    }
  }

  /// Resumes a schedule. Fire times that passed during the pause don't run.
  /// - Parameter authority: the caller, which must be permitted to create the task.
  /// - Throws: `missing`.
  public func resume(
    _ reference: String, by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    try await change(reference) { row in
      // Otherwise a caller could start tasks that it may not create.
      try self.check(row, by: authority)
      var changed = row
      changed.state = .active
      return Change(
        row: changed, definition: try ScheduleDefinition(stored: row.definition),
        keepsTimes: row.state == .active)
    }
  }

  /// Applies a change to the current row of a schedule.
  /// - Parameter body: computes the change. It is called again if the row changes before the write.
  /// - Throws: `missing`; `conflict` if the row changes too often.
  private func change(
    _ reference: String, _ body: (ScheduleRow) throws -> Change
  ) async throws -> ScheduleRow {
    // A schedule that fires has a new row. The change is then computed again.
    for _ in 0..<100 {
      let row = try await schedule(reference)
      let change = try body(row)
      // Nothing to change: no write, no new version, no event.
      if change.row == row, change.definition.stored == row.definition { return row }
      if let changed = try await update(row, change) { return changed }
    }
    throw Self.changedMeanwhile(try await schedule(reference))
  }

  /// Removes a schedule. Its tasks stay, except for those that wait for earlier runs: they are
  /// cancelled.
  /// - Returns: the removed row.
  /// - Throws: `missing`; `conflict` if the schedule comes from the settings.
  public func delete(_ reference: String) async throws -> ScheduleRow {
    let row = try await schedule(reference)
    // The next reload would create the schedule again.
    try Self.refuseSettings(row)
    try await remove(row)
    return row
  }

  /// Runs a schedule now, in addition to its fire times. A paused schedule can be triggered too.
  /// - Returns: the record of the run. It is durable.
  /// - Throws: `conflict` if the overlap policy allows no further run; `invalid` if the task can't
  ///   be created; `missing`.
  public func trigger(
    _ reference: String, by authority: TaskAuthority
  ) async throws -> ScheduleFire {
    let row = try await schedule(reference)
    try check(row, by: authority)
    let (definition, schedule) = try await compiled(row)
    // A run is identified by its time. A triggered run must not use a fire time of the schedule.
    var time = now()
    let store = try readyStore()
    for _ in 0..<1_000 {
      let (moment, note) = (time, authority.actor.map { "triggered by \($0)" })
      defer { time += 1 }
      guard schedule.next(after: moment - 1) != moment else { continue }
      var run = try run(of: row, definition, schedule, at: moment)
      if let problem = run.problem { throw TaskError(.invalid, problem) }
      run.note = note
      let firing = ScheduleFiring(
        row: row, overlap: definition.overlap, runs: [run], after: nil, now: now())
      let result = try await write(store) { transaction in
        try self.commitOrRefuse(firing, transaction)
      } settle: { result in
        if let result { self.settle(result, of: row.id) }
      }
      guard let result else {
        // The row was removed: `schedule` throws `missing`.
        _ = try await self.schedule(reference)
        continue
      }
      // An earlier run may have ended after the transaction read it. The loop checks once more.
      if result.hasWaiting { wakeTimer.ring() }
      // No notice: another run has this millisecond. The next one is tried.
      if case .decided(_, let fire, _) = result.notices.first { return fire }
    }
    throw TaskError(.conflict, "Too many runs were triggered within a second; try again.")
  }

  /// Commits a triggered run. Undoes the transaction's changes if the run is refused.
  /// - Throws: `conflict` with the reason.
  private func commitOrRefuse(
    _ firing: ScheduleFiring, _ transaction: any StoreTransaction
  ) throws -> ScheduleFiring.Result? {
    let result = try commit(firing, transaction)
    if let refusal = result?.refusal {
      throw TaskError(
        .conflict, "\(refusal) The schedule's overlap policy is \(firing.overlap.rawValue).")
    }
    return result
  }

  // MARK: In common

  /// Checks that the caller may create the schedule's tasks.
  private func check(_ row: ScheduleRow, by authority: TaskAuthority) throws {
    guard let task = try ScheduleDefinition(stored: row.definition).task else { return }
    try authority.check(task.type, definition: task.definition, plan: engine.plan)
  }

  private func check(
    _ task: ScheduledTask?, of name: String, by authority: TaskAuthority
  ) throws {
    guard let task else {
      throw TaskError(.invalid, "A schedule needs a task to create.")
    }
    _ = try engine.row(of: TaskDraft(task, named: name), by: authority)
  }

  private static func refuseSettings(_ row: ScheduleRow) throws(TaskError) {
    guard row.source == "settings" else { return }
    throw TaskError(
      .conflict,
      "\"\(row.name)\" comes from the settings: change schedules.\(row.name) in settings.json.")
  }

  private static func changedMeanwhile(_ row: ScheduleRow) -> TaskError {
    TaskError(.conflict, "\"\(row.name)\" was changed meanwhile. Read it again, then change it.")
  }
}
