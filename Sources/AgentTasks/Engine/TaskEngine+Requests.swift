public import AgentJSON
public import AgentStore
internal import Synchronization

/// What people and programs want done with tasks that are there.
extension TaskEngine {
  /// One task, for somebody who may not see all.
  /// - Throws: `missing`, also where they may not see it.
  public func task(_ id: Int64, for authority: TaskAuthority) async throws -> TaskRow {
    let row = try await task(id)
    guard authority.sees(row, plan) else { throw TaskError.unknown(id) }
    return row
  }

  /// One task.
  /// - Throws: `missing`.
  public func task(_ id: Int64) async throws -> TaskRow {
    guard let row = try await readableStore().read({ try $0.tasks.task(id) }) else {
      throw TaskError.unknown(id)
    }
    return row
  }

  /// Tasks of a selection.
  public func tasks(_ selection: TaskSelection) async throws -> [TaskRow] {
    try await readableStore().read { try $0.tasks.tasks(selection) }
  }

  /// How many tasks there are, by type and state.
  public func counts() async throws -> [TaskCount] {
    try await readableStore().read { try $0.tasks.taskCounts() }
  }

  /// The same of one type.
  public func counts(of type: String) async throws -> [TaskCount] {
    try await readableStore().read { try $0.tasks.taskCounts(of: type) }
  }

  /// How many tasks are in a state, of all types.
  package func totals() async throws -> [TaskState: Int64] {
    try await readableStore().read { try $0.tasks.taskTotals() }
  }

  /// What a task has written: lines after a number.
  public func logLines(of id: Int64, after number: Int64, limit: Int) async throws -> [TaskLogLine]
  {
    try await readableStore().read { snapshot in
      guard try snapshot.tasks.task(id) != nil else { throw TaskError.unknown(id) }
      return try snapshot.tasks.logLines(of: id, after: number, limit: limit)
    }
  }

  /// One batch.
  /// - Throws: `missing`.
  public func batch(_ id: Int64) async throws -> TaskBatch {
    guard let batch = try await readableStore().read({ try $0.tasks.batch(id) }) else {
      throw TaskError(.missing, "There is no batch \(id).")
    }
    return batch
  }

  /// Batches with a lesser number than this, the newest first.
  public func batches(before id: Int64?, limit: Int) async throws -> [TaskBatch] {
    try await readableStore().read { try $0.tasks.batches(before: id, limit: limit) }
  }

  /// Asks for a task to be done now, or at a moment: one that waits, or one that has ended.
  /// - Parameter data: what takes the place of its input, or is merged into it when both are objects.
  public func execute(
    _ id: Int64, data: JSONValue? = nil, at moment: Int64? = nil, by authority: TaskAuthority
  ) async throws -> TaskRow {
    let plan = plan
    if let data {
      let row = try await task(id)
      var life = TaskStateMachine(row, now: now())
      life.replace(input: data)
      try authority.check(row.type, life.definition, plan)
      let problems = plan.types[row.type]?.check(life.definition) ?? []
      if !problems.isEmpty { throw TaskError(.invalid, problems.joined(separator: " ")) }
    }
    return try await change(id, by: authority.actor) { life throws(TaskError) in
      if let data { life.replace(input: data) }
      try authority.check(life.row.type, life.definition, plan)
      try life.execute(at: moment, ageing: plan.ageing)
    }
  }

  /// Asks for a task that has ended without success to be tried again.
  public func retry(_ id: Int64, by authority: TaskAuthority) async throws -> TaskRow {
    let plan = plan
    return try await change(id, by: authority.actor) { life throws(TaskError) in
      try authority.check(life.row, plan)
      guard [.failed, .dead, .cancelled].contains(life.row.state) else {
        throw TaskError(
          .conflict,
          "Task \(id) is \(life.row.state.rawValue); only a failed, dead or cancelled task can "
            + "be retried.")
      }
      try life.ask(at: nil, ageing: plan.ageing)
    }
  }

  /// Tries again all that ended without success: of a type, or of all, as far as who asks may have
  /// them done.
  /// - Returns: how many.
  public func retryAll(
    type: String?, states: Set<TaskState>, by authority: TaskAuthority
  ) async throws -> Int {
    let (plan, moment, store) = (plan, now(), try readyStore())
    var count = 0
    var selection = TaskSelection(
      states: states.intersection([.failed, .dead, .cancelled]), type: type, limit: 500)
    // Each once: what fails again at once isn't tried for ever.
    while true {
      // Looked for where nobody waits for it; what has changed since is left out.
      let found = try await store.read { [selection] in try $0.tasks.tasks(selection).map(\.id) }
      let (changed, last) = try await commit(store) { [states = selection.states] transaction in
        var changes: [TaskChange] = []
        for id in found {
          guard let row = try transaction.tasks.task(id), states?.contains(row.state) == true,
            authority.allows(row, plan)
          else { continue }
          var life = TaskStateMachine(row, now: moment, by: authority.actor)
          try life.ask(at: nil, ageing: plan.ageing)
          do {
            life.replace(try Self.takeKeyBack(life.row, transaction.tasks))
          } catch is TaskError {
            // One that is being done under another number needn't be.
            continue
          }
          if try transaction.tasks.update(life.row, from: row) {
            changes.append(TaskChange(row, life.row))
          }
        }
        return (changes, (changes.count, found.last))
      }
      count += changed
      guard let last else { return count }
      selection.before = last
    }
  }

  /// Creates a task that is to do the same once more.
  public func rerun(_ id: Int64, by authority: TaskAuthority) async throws -> TaskRow {
    let row = try await task(id)
    var draft = TaskDraft(name: row.name, type: row.type)
    draft.definition = TaskDefinition(stored: row.definition)
    draft.definition.createdBy = nil
    (draft.priority, draft.parent) = (row.priority, row.parent)
    return try await create(draft, by: authority).task
  }

  /// Gives a task up. One that is running is asked to stop; `isForced` doesn't wait for that.
  public func cancel(
    _ id: Int64, isForced: Bool = false, note: String? = nil, by authority: TaskAuthority
  ) async throws -> TaskRow {
    let (end, plan) = (LeaseEnd.withdrawn("The task was cancelled."), plan)
    let row = try await change(id, by: authority.actor, leaseEnds: end) { life throws(TaskError) in
      guard authority.sees(life.row, plan) else { throw TaskError.unknown(id) }
      try life.cancelOnce(isForced: isForced, note: note)
    }
    interrupt([row])
    return row
  }

  /// Changes what may be changed of a task. How urgent it is may be changed by all who may change
  /// tasks; the rest is part of what a program is given.
  /// - Parameter wish: what is to become of it then, in the same commit: all of it happens, or nothing.
  public func update(
    _ id: Int64, _ edit: TaskEdit, then wish: TaskWish? = nil, by authority: TaskAuthority
  ) async throws -> TaskRow {
    let plan = plan
    let names =
      [NameCheck.problem(edit.name, at: "name", most: 500)]
      + (edit.tags ?? []).map { NameCheck.problem($0, at: "tags") }
    if let problem = names.compactMap(\.self).first { throw TaskError(.invalid, problem) }
    if let priority = edit.priority, !TaskPriority.isValid(priority) {
      throw TaskError(
        .invalid, "A priority is a number from 0 to 1000, or low, normal, high or critical.")
    }
    let end = LeaseEnd.withdrawn(wish == .cancel ? "The task was cancelled." : "")
    let row = try await change(id, by: authority.actor, leaseEnds: end) { life throws(TaskError) in
      if edit.changesDefinition { try authority.check(life.row, plan) }
      if edit.changesSomething { try life.edit(edit, ageing: plan.ageing) }
      switch wish {
      case .execute:
        try authority.check(life.row.type, life.definition, plan)
        try life.execute(at: nil, ageing: plan.ageing)
      case .cancel:
        guard authority.sees(life.row, plan) else { throw TaskError.unknown(id) }
        try life.cancelOnce(isForced: false, note: nil)
      case nil: break
      }
    }
    if wish == .cancel { interrupt([row]) }
    return row
  }

  /// Removes a task. One that is being done has to be cancelled before.
  /// - Returns: what it was.
  @discardableResult
  public func delete(_ id: Int64) async throws -> TaskRow {
    if let store = state.withLock(\.safeStore) { return try await delete(id, from: store) }
    let row = try await commit(readyStore()) { transaction in
      guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
      guard !row.state.isHeld else {
        throw TaskError(.conflict, "Task \(id) is \(row.state.rawValue): cancel it first.")
      }
      try transaction.tasks.remove(id)
      return ([TaskChange(row, row, isRemoved: true)], row)
    }
    await shelf?.remove([id])
    return row
  }

  /// In safe mode, where nothing is being done: whatever the row says.
  private func delete(_ id: Int64, from store: any Store) async throws -> TaskRow {
    let row = try await store.write(.savepoint) { transaction in
      guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
      try transaction.tasks.remove(id)
      return row
    }
    await shelf?.remove([id])
    return row
  }

  /// Changes a task as it is now, in one commit.
  /// - Parameter also: what is stored in the same transaction.
  func change(
    _ id: Int64, by actor: String?, leaseEnds end: LeaseEnd = .withdrawn(""),
    also: @escaping @Sendable (TaskRow, any StoreTransaction) throws -> Void = { _, _ in },
    _ body: @escaping @Sendable (inout TaskStateMachine) throws(TaskError) -> Void
  ) async throws -> TaskRow {
    let (store, moment) = (try readyStore(), now())
    let change = try await commit(store) { transaction in
      guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
      var life = TaskStateMachine(row, now: moment, by: actor)
      try body(&life)
      life.replace(try Self.takeKeyBack(life.row, transaction.tasks))
      guard try transaction.tasks.update(life.row, from: row) else { throw TaskError.unknown(id) }
      try AssignmentLedger.follow(row, life.row, end, at: moment, transaction.assignments)
      try also(life.row, transaction)
      let change = TaskChange(row, life.row)
      return ([change], change)
    }
    return change.task
  }
}
