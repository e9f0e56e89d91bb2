public import AgentJSON
public import AgentStore
internal import Synchronization

/// Handles the requests of people and programs about existing tasks.
extension TaskEngine {
  /// Returns a task, for a caller that may not see all tasks.
  /// - Throws: `missing`, also for a task that the caller may not see, so that its existence isn't
  ///   revealed.
  public func task(_ id: Int64, for authority: TaskAuthority) async throws -> TaskRow {
    let row = try await task(id)
    guard authority.sees(row, plan) else { throw TaskError.unknown(id) }
    return row
  }

  /// Returns a task, without a check of rights.
  /// - Throws: `missing`.
  public func task(_ id: Int64) async throws -> TaskRow {
    guard let row = try await readableStore().read({ try $0.tasks.task(id) }) else {
      throw TaskError.unknown(id)
    }
    return row
  }

  /// Returns the tasks of a selection.
  public func tasks(_ selection: TaskSelection) async throws -> [TaskRow] {
    try await readableStore().read { try $0.tasks.tasks(selection) }
  }

  /// Returns the number of tasks by type and state.
  public func counts() async throws -> [TaskCount] {
    try await readableStore().read { try $0.tasks.taskCounts() }
  }

  /// Returns the number of tasks by state, for the next `types` types after a name.
  public func counts(after type: String, types: Int) async throws -> TaskCountPage {
    try await readableStore().read { try $0.tasks.taskCounts(after: type, types: types) }
  }

  /// Returns the number of tasks by state, for one type.
  public func counts(of type: String) async throws -> [TaskCount] {
    try await readableStore().read { try $0.tasks.taskCounts(of: type) }
  }

  /// Returns the number of tasks by state, for all types together.
  package func totals() async throws -> [TaskState: Int64] {
    try await readableStore().read { try $0.tasks.taskTotals() }
  }

  /// Returns the number of tasks by state, and the bytes of ended tasks, logs and artifacts.
  func totalsAndSizes() async throws -> ([TaskState: Int64], TaskSizes) {
    try await readableStore().read { (try $0.tasks.taskTotals(), try $0.tasks.taskSizes()) }
  }

  /// Returns the log lines of a task after a line number.
  public func logLines(
    of id: Int64, after number: Int64, limit: Int, attempts: ReadableAttempts = .all
  ) async throws -> [TaskLogLine] {
    try await readableStore().read { snapshot in
      guard try snapshot.tasks.task(id) != nil else { throw TaskError.unknown(id) }
      guard attempts != .all else {
        return try snapshot.tasks.logLines(of: id, after: number, limit: limit)
      }
      var lines: [TaskLogLine] = []
      var last = number
      // Reads page after page. Other attempts may have written thousands of lines before these, and
      // callers interpret an empty page as the end.
      while lines.count < limit {
        let page = try snapshot.tasks.logLines(of: id, after: last, limit: Self.logPage)
        lines += page.filter { attempts.includes(attempt: $0.attempt) }
        guard page.count == Self.logPage, let end = page.last else { break }
        last = end.number
      }
      return Array(lines.prefix(max(0, limit)))
    }
  }

  /// The number of lines that are read at once while lines are filtered.
  private static let logPage = 1_000

  /// Returns a batch.
  /// - Throws: `missing`.
  public func batch(_ id: Int64) async throws -> TaskBatch {
    guard let batch = try await readableStore().read({ try $0.tasks.batch(id) }) else {
      throw TaskError(.missing, "There is no batch \(id).")
    }
    return batch
  }

  /// Returns the batches with a smaller number than `id`, the newest first.
  public func batches(before id: Int64?, limit: Int) async throws -> [TaskBatch] {
    try await readableStore().read { try $0.tasks.batches(before: id, limit: limit) }
  }

  /// Queues a task that waits or has ended, or schedules it for a time in Unix milliseconds.
  /// - Parameter data: replaces the input, or is merged into it if both are objects.
  public func execute(
    _ id: Int64, data: JSONValue? = nil, at moment: Int64? = nil, by authority: TaskAuthority
  ) async throws -> TaskRow {
    let plan = plan
    if let data {
      let row = try await task(id)
      var machine = TaskStateMachine(row, now: now())
      try machine.replace(input: data)
      try authority.check(row.type, definition: machine.definition, plan: plan)
      let problems = plan.types[row.type]?.check(machine.definition) ?? []
      if !problems.isEmpty { throw TaskError.invalid(problems) }
    }
    return try await change(id, by: authority.actor, mayName: { authority.sees($0, plan) }) {
      machine throws(TaskError) in
      // Checked again in the transaction, because the row may have changed since it was read.
      if let data { try machine.replace(input: data) }
      try authority.check(machine.row.type, definition: machine.definition, plan: plan)
      try machine.execute(at: moment, ageing: plan.ageing)
    }
  }

  /// Retries a task that ended without success.
  /// - Throws: `conflict` in every other state.
  public func retry(_ id: Int64, by authority: TaskAuthority) async throws -> TaskRow {
    let plan = plan
    return try await change(id, by: authority.actor, mayName: { authority.sees($0, plan) }) {
      machine throws(TaskError) in
      try authority.check(machine.row, plan)
      guard [.failed, .dead, .cancelled].contains(machine.row.state) else {
        throw TaskError(
          .conflict,
          "Task \(id) is \(machine.row.state.rawValue); only a failed, dead or cancelled task can "
            + "be retried.")
      }
      try machine.ask(at: nil, ageing: plan.ageing)
    }
  }

  /// Retries all tasks of one type, or of all types, that ended without success. Tasks that the
  /// authority may not execute are skipped.
  /// - Returns: the number of retried tasks.
  public func retryAll(
    type: String?, states: Set<TaskState>, by authority: TaskAuthority
  ) async throws -> Int {
    let plan = plan
    let moment = now()
    let store = try readyStore()
    var count = 0
    var selection = TaskSelection(
      states: states.intersection([.failed, .dead, .cancelled]), type: type, limit: 500)
    // The changed rows of a page are in memory together, so their size is limited.
    selection.maxBytes = TaskRow.pageBytes
    // In the order of the numbers, each task once. Otherwise, a task that fails again immediately
    // would be retried forever.
    while true {
      // The search is a read, which doesn't block writes. Tasks that have changed since are
      // skipped.
      let (found, next) = try await store.read { [selection] snapshot in
        let page = try snapshot.tasks.page(selection)
        return (page.rows.map(\.id), page.before)
      }
      count += try await commit(store) { [states = selection.states] transaction in
        let transition = TaskTransition(
          in: transaction, at: moment, by: authority.actor, within: plan.bytes)
        var changes: [TaskChange] = []
        for id in found {
          guard let row = try transaction.tasks.task(id), states?.contains(row.state) == true,
            authority.allows(row, plan)
          else { continue }
          // Another open task with the same unique key does the same work.
          if try UniqueKeys.isTaken(row, transaction.tasks) { continue }
          let change = try transition.apply(to: row) { try $0.ask(at: nil, ageing: plan.ageing) }
          if let change { changes.append(change) }
        }
        return (changes, changes.count)
      }
      guard let next else { return count }
      selection.before = next
    }
  }

  /// Creates a copy of a task, which belongs to the caller.
  public func rerun(_ id: Int64, by authority: TaskAuthority) async throws -> TaskRow {
    let row = try await task(id)
    var draft = TaskDraft(name: row.name, type: row.type)
    draft.definition = TaskDefinition(stored: row.definition)
    // The caller becomes the creator. Otherwise, the creator of the old task could see the new one.
    draft.definition.createdBy = nil
    (draft.priority, draft.parent) = (row.priority, row.parent)
    return try await create(draft, by: authority).task
  }

  /// Cancels a task. If an attempt is running, it is asked to stop. With `isForced`, the task is
  /// cancelled immediately and a later result is refused.
  public func cancel(
    _ id: Int64, isForced: Bool = false, note: String? = nil, by authority: TaskAuthority
  ) async throws -> TaskRow {
    let (end, plan) = (LeaseEnd.withdrawn("The task was cancelled."), plan)
    let row = try await change(id, by: authority.actor, leaseEnds: end) {
      machine throws(TaskError) in
      guard authority.sees(machine.row, plan) else { throw TaskError.unknown(id) }
      try machine.cancelOnce(isForced: isForced, note: note)
    }
    interrupt([row])
    return row
  }

  /// Changes a task. Priority and due date may be changed without authority over the definition.
  /// The other members are part of what a program receives.
  /// - Parameter wish: executes or cancels the task in the same commit.
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
    let row = try await change(
      id, by: authority.actor, leaseEnds: end, mayName: { authority.sees($0, plan) }
    ) {
      machine throws(TaskError) in
      if edit.changesDefinition { try authority.check(machine.row, plan) }
      if edit.changesSomething { try machine.edit(edit, ageing: plan.ageing) }
      switch wish {
      case .execute:
        try authority.check(machine.row.type, definition: machine.definition, plan: plan)
        try machine.execute(at: nil, ageing: plan.ageing)
      case .cancel:
        guard authority.sees(machine.row, plan) else { throw TaskError.unknown(id) }
        try machine.cancelOnce(isForced: false, note: nil)
      case nil: break
      }
    }
    if wish == .cancel { interrupt([row]) }
    return row
  }

  /// Applies a transition to the stored row in one commit, and updates its unique key and its
  /// assignment.
  /// - Parameters:
  ///   - mayName: whether an error may name another task.
  ///   - also: stores further rows in the same transaction.
  ///   - body: the transition. It runs on the writer's thread. The store may run it twice.
  func change(
    _ id: Int64, by actor: String?, leaseEnds end: LeaseEnd = .withdrawn(""),
    mayName: @escaping @Sendable (TaskRow) -> Bool = { _ in false },
    also: @escaping @Sendable (TaskRow, any StoreTransaction) throws -> Void = { _, _ in },
    _ body: @escaping @Sendable (inout TaskStateMachine) throws(TaskError) -> Void
  ) async throws -> TaskRow {
    let (store, moment) = (try readyStore(), now())
    let limits = plan.bytes
    let change = try await commit(store) { transaction in
      guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
      let transition = TaskTransition(
        in: transaction, at: moment, by: actor, leaseEnds: end, within: limits, mayName: mayName)
      guard let change = try transition.apply(to: row, { try body(&$0) }) else {
        throw TaskError.unknown(id)
      }
      try also(change.task, transaction)
      return ([change], change)
    }
    return change.task
  }
}
