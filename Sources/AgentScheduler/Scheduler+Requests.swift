public import AgentJSON
internal import AgentSchedules
public import AgentStore
internal import AgentSystem
public import AgentTasks

/// What people and programs want done with schedules.
extension Scheduler {
  // MARK: Looking

  /// The schedule of a number or a name.
  /// - Throws: `missing`.
  public func schedule(_ reference: String) async throws -> ScheduleRow {
    try await readyStore().read { try Self.find(reference, $0.schedules) }
  }

  /// The maximum number of schedules that a page looks at. A text that no name has would otherwise
  /// read all of them in one piece.
  static let maxLooked = 10_000

  /// A page of the schedules of a selection, by number.
  public func schedules(_ selection: ScheduleSelection) async throws -> SchedulePage {
    var bounded = selection
    bounded.look = Self.maxLooked
    let chosen = bounded
    return try await readyStore().read { try $0.schedules.page(chosen) }
  }

  /// What became of the latest fire times before one.
  public func fires(
    of reference: String, before time: Int64?, limit: Int
  ) async throws -> [ScheduleFire] {
    try await readyStore().read { snapshot in
      let row = try Self.find(reference, snapshot.schedules)
      return try snapshot.schedules.fires(of: row.id, before: time, limit: limit)
    }
  }

  /// The next fire times of a schedule, also of one that is paused.
  public func upcoming(_ reference: String, _ count: Int) async throws -> [Int64] {
    let row = try await schedule(reference)
    let (_, schedule) = try await compiled(row)
    return schedule.upcoming(count, after: max(now(), row.handled))
  }

  /// The next fire times that a definition would have.
  public func preview(_ definition: ScheduleDefinition, _ count: Int) async throws -> [Int64] {
    try await compiled(definition, id: 0, created: now()).upcoming(count, after: now())
  }

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

  /// Creates a schedule; durable when this returns.
  /// - Throws: `invalid` when it would never fire or its task can't be made, `conflict` when its
  ///   name is taken.
  public func create(
    _ draft: ScheduleDraft, by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    try ScheduleDraft.check(draft.name)
    try check(draft.definition.task, of: draft.name, by: authority)
    return try await insert(draft, source: nil)
  }

  /// Creates a schedule that makes tasks like one that is there.
  /// - Parameter name: what to call it; after the task when it is nil.
  public func create(
    like task: Int64, _ definition: ScheduleDefinition, named name: String?,
    by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    let task = try await engine.task(task)
    var definition = definition
    definition.task = ScheduledTask(task)
    if let name { return try await create(ScheduleDraft(name: name, definition), by: authority) }
    // A name of digits alone would be read as a number.
    let plain = task.name.allSatisfy(\.isNumber) ? "task \(task.name)" : task.name
    for number in 1...100 {
      let free = number == 1 ? plain : "\(plain) (\(number))"
      do {
        return try await create(ScheduleDraft(name: free, definition), by: authority)
      } catch let error as TaskError where error.code == .conflict {}
    }
    throw TaskError(.conflict, "There are many schedules named \"\(plain)\"; give this one a name.")
  }

  /// Changes what is named: `name`, and the members of a definition; null takes one away.
  /// - Parameter version: the version that is to be changed, if only that.
  public func edit(
    _ reference: String, _ patch: JSONObject, version: Int64? = nil, by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    try await change(reference) { row in
      try Self.refuseSettings(row)
      if let version, version != row.version { throw Self.changedMeanwhile(row) }
      let former = try ScheduleDefinition(stored: row.definition)
      var changed = row
      var definition = try former.changed(by: patch)
      // Whether it is paused is the row's state; the member is for creating a schedule only.
      definition.isPaused = false
      if let name = patch["name"]?.string {
        try ScheduleDraft.check(name)
        changed.name = name
      }
      // The former members that stay count as new ones: together they are what will be done.
      try self.check(definition.task, of: changed.name, by: authority)
      return Change(
        row: changed, definition: definition, keepsTimes: definition.hasTimes(of: former))
    }
  }

  /// Pauses a schedule.
  public func pause(_ reference: String) async throws -> ScheduleRow {
    try await change(reference) { row in
      var changed = row
      changed.state = .paused
      return Change(
        row: changed, definition: try ScheduleDefinition(stored: row.definition), keepsTimes: true)
    }
  }

  /// Lets a schedule fire again, from now on: what it would have done meanwhile isn't made up for.
  public func resume(
    _ reference: String, by authority: TaskAuthority
  ) async throws -> ScheduleRow {
    try await change(reference) { row in
      try self.check(row, by: authority)
      var changed = row
      changed.state = .active
      return Change(
        row: changed, definition: try ScheduleDefinition(stored: row.definition),
        keepsTimes: row.state == .active)
    }
  }

  /// Changes a schedule as it is now, whatever of it fires meanwhile.
  private func change(
    _ reference: String, _ body: (ScheduleRow) throws -> Change
  ) async throws -> ScheduleRow {
    // A schedule that fires meanwhile has another row: the change is made again to that one.
    for _ in 0..<100 {
      let row = try await schedule(reference)
      let change = try body(row)
      if change.row == row, change.definition.stored == row.definition { return row }
      if let changed = try await update(row, change) { return changed }
    }
    throw Self.changedMeanwhile(try await schedule(reference))
  }

  /// Removes a schedule. Its tasks stay; those that wait for others are cancelled.
  /// - Returns: what it was.
  public func delete(_ reference: String) async throws -> ScheduleRow {
    let row = try await schedule(reference)
    // The next reload would create it again.
    try Self.refuseSettings(row)
    try await remove(row)
    return row
  }

  /// Makes a run now, beside the schedule's times.
  /// - Throws: `conflict` when the overlap policy leaves it out.
  /// - Returns: what was made.
  public func trigger(
    _ reference: String, by authority: TaskAuthority
  ) async throws -> ScheduleFire {
    let row = try await schedule(reference)
    try check(row, by: authority)
    let (definition, schedule) = try await compiled(row)
    // A moment that is no fire time: it must not take the place of one.
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
        // The schedule is gone, which this reports as `missing`.
        _ = try await self.schedule(reference)
        continue
      }
      // The run before it may have ended since the transaction read it: it is looked at once.
      if result.hasWaiting { wakeTimer.ring() }
      // Without a notice another run has this millisecond: the next one is tried.
      if case .decided(_, let fire, _) = result.notices.first { return fire }
    }
    throw TaskError(.conflict, "Too many runs were triggered within a second; try again.")
  }

  /// A run that was asked for happens, or nothing does.
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

  /// Refuses a schedule whose tasks the caller may not create.
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
