internal import AgentSchedules
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Schedules are stored, changed and removed, whoever wants it.
extension Scheduler {
  func insert(_ draft: ScheduleDraft, source: String?) async throws -> ScheduleRow {
    let moment = now()
    let schedule = try await compiled(draft.definition, id: 0, created: moment)
    guard schedule.next(after: moment) != nil else { throw Self.neverFires }
    let state: ScheduleRow.State = draft.definition.isPaused ? .paused : .active
    var row = ScheduleRow(
      name: draft.name, state: state, source: source, definition: draft.definition.stored,
      handled: moment,
      created: moment, updated: moment)
    // When it is due depends on its number: that is known once it is stored.
    row.next = schedule.next(after: moment)
    row.wake = state == .active ? moment : nil
    let ready = row
    do {
      row = try await write(readyStore()) { transaction in
        var row = ready
        row.id = try transaction.schedules.insert(ready)
        try self.record([.created(row)], in: transaction)
        return row
      } settle: { row in
        self.count(nil, row.state)
        self.publish([.created(row)])
      }
    } catch let error as StoreError where error.code == .conflict {
      throw TaskError(.conflict, error.message)
    }
    wakeTimer.ring()
    return row
  }

  /// A change of a schedule's row.
  struct Change {
    let row: ScheduleRow
    let definition: ScheduleDefinition
    /// Whether times that have passed still count, because they are the same.
    let keepsTimes: Bool
  }

  /// - Returns: nil when it isn't any more what it was taken for: nothing has changed.
  func update(_ row: ScheduleRow, _ change: Change) async throws -> ScheduleRow? {
    let moment = now()
    var changed = change.row
    let schedule = try await compiled(change.definition, id: row.id, created: row.created)
    if !change.keepsTimes {
      // New times count from now on: past ones aren't made up for.
      changed.handled = max(row.handled, moment)
      if changed.state == .active, schedule.next(after: moment) == nil { throw Self.neverFires }
    }
    (changed.definition, changed.updated) = (change.definition.stored, moment)
    changed.version += 1
    let ready = changed.awaiting(schedule)
    do {
      let isDone = try await write(readyStore()) { transaction in
        guard try transaction.schedules.update(ready, from: row) else { return false }
        try self.record([.changed(ready)], in: transaction)
        return true
      } settle: { isDone in
        guard isDone else { return }
        self.count(row.state, ready.state)
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

  func remove(_ row: ScheduleRow) async throws {
    let moment = now()
    try await write(readyStore()) { transaction -> [TaskChange]? in
      guard try transaction.schedules.removeSchedule(row.id) else { return nil }
      try self.record([.deleted(row)], in: transaction)
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
      self.count(row.state, nil)
      self.publish([.deleted(row)])
    }
  }

  // MARK: The settings' schedules

  /// Keeps those of the settings in step with them from now on.
  public func apply(_ drafts: [ScheduleDraft]) {
    state.withLock { $0.wanted = drafts }
    wakeTimer.ring()
  }

  /// Creates, changes and removes what the settings have changed.
  func adoptWanted() async throws {
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
        // One wrong schedule must not keep the others from being stored.
        log(.error, "schedules.\(draft.name) of the settings isn't stored. \(error.message)")
      }
    }
    // A reload may have brought others meanwhile.
    state.withLock { if $0.wanted == wanted { $0.wanted = nil } }
  }

  private func adopt(_ draft: ScheduleDraft, _ row: ScheduleRow?) async throws {
    guard let row else {
      try ScheduleDraft.check(draft.name)
      _ = try await insert(draft, source: "settings")
      return
    }
    guard row.definition != draft.definition.stored else { return }
    let former = try? ScheduleDefinition(stored: row.definition)
    var changed = row
    // A person may have paused or resumed it: only a change of the settings overrides that.
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
  /// A task as a schedule makes it, to see whether it can be made.
  init(_ task: ScheduledTask, named name: String) {
    self.init(name: task.name ?? name, type: task.type)
    (definition, priority) = (task.definition, task.priority)
  }
}
