internal import AgentSchedules
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Stores, changes and removes schedules, for requests and for the settings.
extension Scheduler {
  /// Stores a new schedule. It is durable when this returns.
  /// - Parameter source: `settings`, or nil for a request.
  /// - Throws: `invalid` if it would never fire; `conflict` if another schedule has the name.
  func insert(_ draft: ScheduleDraft, source: String?) async throws -> ScheduleRow {
    let moment = now()
    let schedule = try await compiled(draft.definition, id: 0, created: moment)
    guard schedule.next(after: moment) != nil else { throw Self.neverFires }
    let state: ScheduleRow.State = draft.definition.isPaused ? .paused : .active
    var row = ScheduleRow(
      name: draft.name, state: state, source: source, definition: draft.definition.stored,
      handled: moment,
      created: moment, updated: moment)
    // The delay of a run depends on the schedule's id, which the insert assigns. The first wake-up
    // computes it.
    row.next = schedule.next(after: moment)
    row.wake = state == .active ? moment : nil
    // The settings' schedules count, but a reload must not depend on the others.
    if source == nil { try checkSpace(for: row, from: nil) }
    // A copy that doesn't change: the closure runs on the writer's thread.
    let ready = row
    do {
      row = try await write(readyStore()) { transaction in
        var row = ready
        row.id = try transaction.schedules.insert(ready)
        try self.record([.created(row)], in: transaction)
        return row
      } settle: { row in
        self.count(nil, row)
        self.publish([.created(row)])
      }
    } catch let error as StoreError where error.code == .conflict {
      throw TaskError(.conflict, error.message)
    }
    // The new schedule may fire before the moment that the loop waits for.
    wakeTimer.ring()
    return row
  }

  /// A change to apply to a stored schedule.
  struct Change {
    let row: ScheduleRow
    let definition: ScheduleDefinition
    /// Whether the fire times are the same. If so, times that passed before the change still have
    /// runs.
    let keepsTimes: Bool
  }

  /// Stores a change of a schedule. It is durable when this returns.
  /// - Returns: nil if the stored row isn't `row` any more. Nothing is stored then.
  /// - Throws: `invalid` if it would never fire; `conflict` if another schedule has the name.
  func update(_ row: ScheduleRow, _ change: Change) async throws -> ScheduleRow? {
    let moment = now()
    var changed = change.row
    let schedule = try await compiled(change.definition, id: row.id, created: row.created)
    if !change.keepsTimes {
      // New fire times begin now. Those that they would have had before don't run.
      changed.handled = max(row.handled, moment)
      if changed.state == .active, schedule.next(after: moment) == nil { throw Self.neverFires }
    }
    (changed.definition, changed.updated) = (change.definition.stored, moment)
    // A request that names an older version is refused.
    changed.version += 1
    let ready = changed.awaiting(schedule)
    if row.source == nil { try checkSpace(for: ready, from: row) }
    do {
      let isDone = try await write(readyStore()) { transaction in
        guard try transaction.schedules.update(ready, from: row) else { return false }
        try self.record([.changed(ready)], in: transaction)
        return true
      } settle: { isDone in
        // Another writer was faster: there is nothing to report.
        guard isDone else { return }
        self.count(row, ready)
        self.publish([.changed(ready)])
      }
      guard isDone else { return nil }
    } catch let error as StoreError where error.code == .conflict {
      throw TaskError(.conflict, error.message)
    }
    wakeTimer.ring()
    return ready
  }

  private static let neverFires = TaskError(
    .invalid, "It would never fire: its last time has passed.")

  /// Removes a schedule, and cancels its tasks that wait for earlier runs. Other tasks stay. Does
  /// nothing if the schedule doesn't exist any more.
  func remove(_ row: ScheduleRow) async throws {
    let moment = now()
    try await write(readyStore()) { transaction -> [TaskChange]? in
      guard try transaction.schedules.removeSchedule(row.id) else { return nil }
      try self.record([.deleted(row)], in: transaction)
      // A deleted schedule starts no further runs.
      let waiting = try transaction.schedules.openTasks(of: row.id).filter { $0.state == .waiting }
      let transition = TaskTransition(in: transaction, at: moment, by: "schedule:\(row.name)")
      let changes = try waiting.compactMap { task in
        try transition.apply(to: task) {
          _ = try $0.cancel(isForced: false, note: "The schedule was deleted.")
        }
      }
      try self.engine.record(changes, in: transaction)
      return changes
    } settle: { changes in
      guard let changes else { return }
      self.engine.settle(changes)
      self.count(row, nil)
      self.publish([.deleted(row)])
    }
  }

  // MARK: The settings' schedules

  /// Replaces the schedules of the settings. The loop stores them soon.
  public func apply(_ drafts: [ScheduleDraft]) {
    state.withLock { $0.wanted = drafts }
    wakeTimer.ring()
  }

  /// Makes the stored schedules of the settings agree with the wanted ones: creates, changes and
  /// removes them. Does nothing if there are no new ones. The loop calls it, too.
  /// - Throws: errors of the store. A schedule that is refused is only logged.
  public func adoptWanted() async throws {
    guard let wanted = state.withLock({ $0.wanted }) else { return }
    let kept = try await readyStore().read {
      try $0.schedules.schedules(ScheduleSelection(source: "settings", limit: .max))
    }
    for row in kept where !wanted.contains(where: { $0.name == row.name }) {
      try await remove(row)
    }
    for draft in wanted {
      do {
        try await adopt(draft, kept.first { $0.name == draft.name })
      } catch let error as TaskError {
        // One invalid schedule must not stop the others.
        log(.error, "schedules.\(draft.name) of the settings isn't stored. \(error.message)")
      }
    }
    // A reload may have replaced them during the writes. Those are applied in the next round.
    state.withLock { if $0.wanted == wanted { $0.wanted = nil } }
  }

  private func adopt(_ draft: ScheduleDraft, _ row: ScheduleRow?) async throws {
    guard let row else {
      try ScheduleDraft.check(draft.name)
      _ = try await insert(draft, source: "settings")
      return
    }
    // A start with unchanged settings writes nothing.
    guard row.definition != draft.definition.stored else { return }
    let former = try? ScheduleDefinition(stored: row.definition)
    var changed = row
    // A user may have paused or resumed it. Only a change of `paused` in the settings overrides
    // that.
    if former?.isPaused != draft.definition.isPaused {
      changed.state = draft.definition.isPaused ? .paused : .active
    }
    let keepsTimes =
      changed.state == row.state && former?.hasTimes(of: draft.definition) == true
    let change = Change(row: changed, definition: draft.definition, keepsTimes: keepsTimes)
    if try await update(row, change) == nil {
      throw TaskError(.conflict, "It was changed meanwhile; the next reload retries it.")
    }
  }
}

extension TaskDraft {
  /// Creates a draft without a fire time, to check whether the task can be created.
  init(_ task: ScheduledTask, named name: String) {
    self.init(name: task.name ?? name, type: task.type)
    (definition, priority) = (task.definition, task.priority)
  }
}
