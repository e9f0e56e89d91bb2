public import AgentStore
internal import AgentSystem
internal import AgentText
internal import Synchronization

/// Creates tasks.
extension TaskEngine {
  /// The new task, or the existing task with the same unique key.
  public struct Creation: Sendable {
    public let task: TaskRow
    /// Whether an earlier request created the task.
    public let existed: Bool
  }

  /// Creates a task, which is durable when this returns.
  /// - Parameter authority: the authority of the caller.
  /// - Throws: `forbidden` if the authority doesn't allow the definition; `invalid` if the type is
  ///   unknown or refuses the input; `conflict` if `tasks.max_open` or the bytes of open tasks are
  ///   reached, or if a task has the unique key that the authority may not read; `notReady` before
  ///   the engine is open.
  public func create(
    _ draft: TaskDraft, by authority: TaskAuthority
  ) async throws -> Creation {
    let store = try readyStore()
    try checkMaxOpen(for: 1)
    let row = try row(of: draft, by: authority)
    let plan = plan
    return try await withCheckedThrowingContinuation { continuation in
      store.submit(.single) { [weak self] transaction in
        try self?.applyJump(in: transaction)
        let creation = try Self.insert(
          row, endsWithTask: draft.unique?.endsWithTask ?? false, within: plan.bytes,
          mayReturn: { authority.sees($0, plan) }, transaction.tasks)
        if !creation.existed {
          try self?.record([TaskChange(nil, creation.task)], in: transaction)
        }
        return creation
      } completion: { [weak self] (outcome: Result<Creation, any Error>) in
        switch outcome {
        case .success(let creation):
          if !creation.existed { self?.settle([TaskChange(nil, creation.task)]) }
        case .failure(let error): self?.failed(error)
        }
        continuation.resume(with: outcome)
      }
    }
  }

  /// Creates several tasks in one commit: all or none.
  /// - Parameter batch: the name of a new batch for them; `nil` for none.
  public func create(
    _ drafts: [TaskDraft], batch: String?, by authority: TaskAuthority
  ) async throws -> (batch: Int64?, creations: [Creation]) {
    let store = try readyStore()
    try checkMaxOpen(for: drafts.count)
    var rows: [TaskRow] = []
    for (index, draft) in drafts.enumerated() {
      do {
        rows.append(try row(of: draft, by: authority))
      } catch {
        throw TaskError(error.code, "Task \(index + 1) of \(drafts.count): \(error.message)")
      }
    }
    let ready = rows
    let moment = now()
    let plan = plan
    return try await commit(store) { transaction in
      let number = try batch.map {
        try transaction.tasks.insert(TaskBatch(name: $0, created: moment, total: 0, pending: 0))
      }
      let creations = try zip(ready, drafts).map { row, draft in
        var row = row
        row.batch = number ?? row.batch
        return try Self.insert(
          row, endsWithTask: draft.unique?.endsWithTask ?? false, within: plan.bytes,
          mayReturn: { authority.sees($0, plan) }, transaction.tasks)
      }
      let new = creations.filter { !$0.existed }
      // If all tasks existed already, nothing would ever remove the batch.
      if let number, new.isEmpty {
        try transaction.tasks.removeEmptyBatch(number)
        return ([], (nil, creations))
      }
      return (new.map { TaskChange(nil, $0.task) }, (number, creations))
    }
  }

  /// Inserts a task unless its unique key exists.
  /// - Parameter mayReturn: whether the creator may read the task that has the key.
  /// - Throws: before anything is changed, if the task exceeds the limits; `conflict` if a task has
  ///   the key that the creator may not read.
  package static func insert(
    _ row: TaskRow, endsWithTask: Bool, within limits: TaskByteLimits = TaskByteLimits(),
    mayReturn: (TaskRow) -> Bool = { _ in true }, _ tasks: any TaskStorage
  ) throws -> Creation {
    let other = try row.uniqueKey.flatMap { try tasks.task(uniqueKey: $0) }
    if let other, !endsWithTask || !other.state.isEnded {
      guard mayReturn(other) else { throw UniqueKeys.unreadable }
      return Creation(task: other, existed: true)
    }
    try limits.check(row, adding: row.definition.count, in: tasks)
    if let other, let key = row.uniqueKey { _ = try UniqueKeys.free(key, from: other, tasks) }
    var row = row
    row.id = try tasks.insert(row)
    return Creation(task: row, existed: false)
  }

  /// Checks a draft and returns its row. Stores nothing.
  package func row(of draft: TaskDraft, by authority: TaskAuthority) throws(TaskError) -> TaskRow {
    let (plan, actor) = (plan, authority.actor)
    // First, because messages about secrets and types are only for callers that may use them.
    try authority.check(draft.type, definition: draft.definition, plan: plan)
    let type = try check(draft, plan)
    let moment = now()
    var definition = draft.definition
    definition.complete(by: type, plan)
    definition.createdBy = definition.createdBy ?? actor
    let stored = definition.stored
    try TaskDefinition.check(stored)
    let queueKey = QueueKey(type: draft.type, definition).name
    let row = TaskRow(
      name: draft.name, type: draft.type, state: .waiting, priority: draft.priority,
      queueKey: queueKey,
      created: moment, updated: moment, due: draft.due,
      uniqueKey: draft.unique?.text(draft, now: moment), parent: draft.parent, batch: draft.batch,
      schedule: draft.schedule, definition: stored,
      creator: authority.isUnrestricted ? nil : actor)
    if draft.waits {
      var row = row
      TaskHistory.append(
        &row.history, at: moment, state: .waiting, attempt: 0, by: actor, note: nil)
      return row
    }
    var machine = TaskStateMachine(row, now: moment, by: actor, definition: definition)
    try machine.ask(at: draft.runAt, ageing: plan.ageing)
    return machine.row
  }

  /// Checks the limit of open tasks, so that requests can't fill the disk. Creations at the same
  /// moment aren't counted, so they may exceed the limit.
  private func checkMaxOpen(for count: Int) throws(TaskError) {
    let (open, most) = state.withLock { ($0.open, $0.plan.maxOpen) }
    guard open.adding(Int64(count)) > most else { return }
    throw TaskError(
      .conflict,
      "\(open) tasks are open, and at most \(most) may be (tasks.max_open). Wait until some have "
        + "ended, or cancel some.")
  }

  /// Checks a draft and returns its type.
  private func check(_ draft: TaskDraft, _ plan: TaskPlan) throws(TaskError) -> TaskType {
    guard TaskPriority.isValid(draft.priority) else {
      throw TaskError(
        .invalid, "A priority is a number from 0 to 1000, or low, normal, high or critical.")
    }
    let names =
      NameCheck.problems(draft) + EscalationCheck.problems(draft.definition.escalation)
    if !names.isEmpty { throw TaskError.invalid(names) }
    guard let type = plan.types[draft.type] else {
      // A type that only registered bots know isn't in the plan, but its tasks can be created.
      if state.withLock({ $0.typesOfBots.known.contains(draft.type) }) {
        return TaskType(
          name: draft.type, description: "Executed by registered bots.", source: "bots",
          executor: nil)
      }
      if state.withLock({ $0.awaitsBots }) { throw TaskError.starting }
      let near = NameSuggestion.of(draft.type, among: plan.types.keys.sorted())
      throw TaskError(
        .invalid,
        "type: There is no task type \"\(draft.type)\"."
          + NameSuggestion.question(
            near,
            otherwise: " \"agent task types\" shows them; tasks.types in the settings adds more.")
      )
    }
    let problems = type.check(draft.definition)
    if !problems.isEmpty { throw TaskError.invalid(problems) }
    return type
  }

  /// Returns the store for reading, which is also available in safe mode.
  func readableStore() throws(TaskError) -> any Store {
    if let store = state.withLock(\.phase.safeStore) { return store }
    return try readyStore()
  }

  /// Returns the store while calls are accepted.
  func readyStore() throws(TaskError) -> any Store {
    guard let store = state.withLock(\.phase.runningStore) else {
      throw TaskError.starting
    }
    return store
  }
}
