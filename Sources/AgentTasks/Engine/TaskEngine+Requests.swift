public import AgentJSON
public import AgentStore
internal import Synchronization

/// What people and programs want done with tasks that are there.
extension TaskEngine {
  /// One task.
  /// - Throws: `missing`.
  public func task(_ id: Int64) async throws -> TaskRow {
    guard let row = try await readyStore().read({ try $0.tasks.task(id) }) else {
      throw TaskError.unknown(id)
    }
    return row
  }

  /// Tasks of a selection.
  public func tasks(_ selection: TaskSelection) async throws -> [TaskRow] {
    try await readyStore().read { try $0.tasks.tasks(selection) }
  }

  /// How many tasks there are, by type and state.
  public func counts() async throws -> [TaskCount] {
    try await readyStore().read { try $0.tasks.taskCounts() }
  }

  /// What a task has written: lines after a number.
  public func logLines(of id: Int64, after number: Int64, limit: Int) async throws -> [TaskLogLine]
  {
    try await readyStore().read { snapshot in
      guard try snapshot.tasks.task(id) != nil else { throw TaskError.unknown(id) }
      return try snapshot.tasks.logLines(of: id, after: number, limit: limit)
    }
  }

  /// One batch.
  /// - Throws: `missing`.
  public func batch(_ id: Int64) async throws -> TaskBatch {
    guard let batch = try await readyStore().read({ try $0.tasks.batch(id) }) else {
      throw TaskError(.missing, "There is no batch \(id).")
    }
    return batch
  }

  /// Batches with a lesser number than this, the newest first.
  public func batches(before id: Int64?, limit: Int) async throws -> [TaskBatch] {
    try await readyStore().read { try $0.tasks.batches(before: id, limit: limit) }
  }

  /// Asks for a task to be done now, or at a moment: one that waits, or one that has ended.
  /// - Parameter data: what takes the place of its input, or is merged into it when both are objects.
  public func execute(
    _ id: Int64, data: JSONValue? = nil, at moment: Int64? = nil, by actor: String?
  ) async throws -> TaskRow {
    let plan = plan
    if let data {
      let row = try await task(id)
      var life = TaskLife(row, now: now())
      life.replace(input: data)
      let problems = plan.types[row.type]?.check(life.definition) ?? []
      if !problems.isEmpty { throw TaskError(.invalid, problems.joined(separator: " ")) }
    }
    return try await change(id, by: actor) { life throws(TaskError) in
      guard life.row.state == .waiting || life.row.state.isEnded else {
        throw TaskError(
          .conflict, "Task \(id) is \(life.row.state.rawValue): it is being done already.")
      }
      if let data { life.replace(input: data) }
      try life.ask(at: moment, ageing: plan.ageing)
    }
  }

  /// Asks for a task that has ended without success to be tried again.
  public func retry(_ id: Int64, by actor: String?) async throws -> TaskRow {
    let ageing = plan.ageing
    return try await change(id, by: actor) { life throws(TaskError) in
      guard [.failed, .dead, .cancelled].contains(life.row.state) else {
        throw TaskError(
          .conflict,
          "Task \(id) is \(life.row.state.rawValue); only one that is failed, dead or cancelled can "
            + "be tried again.")
      }
      try life.ask(at: nil, ageing: ageing)
    }
  }

  /// Tries again all that ended without success: of a type, or of all.
  /// - Returns: how many.
  public func retryAll(type: String?, states: Set<TaskState>, by actor: String?) async throws -> Int
  {
    let (ageing, moment, store) = (plan.ageing, now(), try readyStore())
    var count = 0
    var selection = TaskSelection(
      states: states.intersection([.failed, .dead, .cancelled]), type: type, limit: 500)
    // Each once: what fails again at once isn't tried for ever.
    while true {
      let (changed, last) = try await commit(store) { [selection] transaction in
        var changes: [TaskChange] = []
        let rows = try transaction.tasks.tasks(selection)
        for row in rows {
          var life = TaskLife(row, now: moment, by: actor)
          try life.ask(at: nil, ageing: ageing)
          if try transaction.tasks.update(life.row, from: row) {
            changes.append(TaskChange(row, life.row))
          }
        }
        return (changes, (changes.count, rows.last?.id))
      }
      count += changed
      guard let last else { return count }
      selection.before = last
    }
  }

  /// Creates a task that is to do the same once more.
  public func rerun(_ id: Int64, by actor: String?) async throws -> TaskRow {
    let row = try await task(id)
    var draft = TaskDraft(name: row.name, type: row.type)
    draft.definition = TaskDefinition(stored: row.definition)
    draft.definition.createdBy = nil
    (draft.priority, draft.parent) = (row.priority, row.parent)
    return try await create(draft, by: actor).task
  }

  /// Gives a task up. One that is running is asked to stop; `isForced` doesn't wait for that.
  public func cancel(
    _ id: Int64, isForced: Bool = false, note: String? = nil, by actor: String?
  ) async throws -> TaskRow {
    let end = LeaseEnd.withdrawn("The task was cancelled.")
    let row = try await change(id, by: actor, leaseEnds: end) { life throws(TaskError) in
      guard !life.row.state.isEnded else {
        throw TaskError(.conflict, "Task \(id) is \(life.row.state.rawValue) already.")
      }
      _ = try life.cancel(isForced: isForced, note: note)
    }
    state.withLock { state in
      state.attempts[row.key]?.isCancelled = true
      state.attempts[row.key]?.work?.cancel()
    }
    return row
  }

  /// Changes what may be changed of a task.
  public func update(_ id: Int64, _ edit: TaskEdit, by actor: String?) async throws -> TaskRow {
    let ageing = plan.ageing
    if let priority = edit.priority, !TaskPriority.isValid(priority) {
      throw TaskError(
        .invalid, "A priority is a number from 0 to 1000, or low, normal, high or critical.")
    }
    return try await change(id, by: actor) { life throws(TaskError) in
      try life.edit(edit, ageing: ageing)
    }
  }

  /// Removes a task. One that is being done has to be cancelled before.
  /// - Returns: what it was.
  @discardableResult
  public func delete(_ id: Int64) async throws -> TaskRow {
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

  /// Waits until a task has ended.
  /// - Throws: `timedOut` when that takes longer, `notReady` when the host ends.
  public func wait(for id: Int64, milliseconds: Int64) async throws -> TaskRow {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let timer = Task(executorPreference: executor) { [pause] in
      try await pause(.milliseconds(milliseconds))
      self.give(up: number, on: id)
    }
    defer { timer.cancel() }
    let ended = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          state.waiters[id, default: []].append(
            EngineState.Waiter(number: number, continuation: continuation))
        }
        if Task.isCancelled { give(up: number, on: id) }
        // It may have ended before anybody waited.
        Task(executorPreference: executor) {
          guard let row = try? await self.task(id), !row.state.isEnded else {
            return self.give(up: number, on: id)
          }
        }
      }
    } onCancel: {
      give(up: number, on: id)
    }
    if let ended { return ended }
    try Task.checkCancellation()
    let row = try await task(id)
    guard row.state.isEnded else {
      throw TaskError(
        .timedOut, "Task \(id) is \(row.state.rawValue) after \(milliseconds) ms; it goes on.")
    }
    return row
  }

  private func give(up number: Int, on id: Int64) {
    let waiter = state.withLock { state -> EngineState.Waiter? in
      guard let place = state.waiters[id]?.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      let waiter = state.waiters[id]?.remove(at: place)
      if state.waiters[id]?.isEmpty == true { state.waiters[id] = nil }
      return waiter
    }
    waiter?.continuation.resume(returning: nil)
  }

  /// Changes a task as it is now, in one commit.
  func change(
    _ id: Int64, by actor: String?, leaseEnds end: LeaseEnd = .withdrawn(""),
    _ body: @escaping @Sendable (inout TaskLife) throws(TaskError) -> Void
  ) async throws -> TaskRow {
    let (store, moment) = (try readyStore(), now())
    let change = try await commit(store) { transaction in
      guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
      var life = TaskLife(row, now: moment, by: actor)
      try body(&life)
      guard try transaction.tasks.update(life.row, from: row) else { throw TaskError.unknown(id) }
      try AssignmentLedger.follow(row, life.row, end, at: moment, transaction.assignments)
      let change = TaskChange(row, life.row)
      return ([change], change)
    }
    return change.task
  }
}
