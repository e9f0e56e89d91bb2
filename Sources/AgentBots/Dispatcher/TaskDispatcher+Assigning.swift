internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentTasks
internal import Synchronization
internal import AgentSystem

/// Assigns waiting tasks to bots that have a free slot.
extension TaskDispatcher {
  /// Runs the loop that detects lost bots, escalates, and assigns, until the task is cancelled.
  func keepAssigning() async {
    for await _ in wakeTimer.rings {
      do {
        // First, because the tasks of a lost bot are requeued, and it must get no others.
        await lookForSilent()
        try await escalate()
        try await assignWaiting()
        // A rate limit opens without any other change, so that only the clock wakes the loop.
        if let next = tasks.nextRateOfBots() { wakeTimer.ring(at: next, now: now()) }
      } catch is CancellationError {
        return
      } catch {
        // The tasks may have ended before the cancellation is reported here.
        if Task.isCancelled { return }
        log(.warning, "Tasks can't be assigned to bots now; the host retries. \(error)")
        // With a delay: a failing disk would otherwise keep this loop busy.
        wakeTimer.ring(at: now().adding(1_000), now: now())
      }
    }
  }

  /// A waiting task, prepared for a decision.
  struct Waiting {
    let row: TaskRow
    let definition: TaskDefinition
    let task: AssignmentTask
  }

  /// Reports waiting tasks that no bot can take, while no bot is registered at all.
  /// - Parameter affected: the tasks. Nil means all.
  func reportAll(of affected: FreeBots?) async throws {
    var left = plan.maxAtOnce
    var place: QueuePosition?
    repeat {
      // In pages, because there may be many waiting tasks.
      let page = try await tasks.waitingForBots(limit: left, after: place, freeBots: affected)
      for row in page.rows {
        let definition = TaskDefinition(stored: row.definition)
        reportUnavailable(row, Self.assignmentTask(row, definition, excluded: []))
      }
      (left, place) = (left - page.rows.count, page.next)
    } while place != nil && left > 0
  }

  /// Prepares waiting tasks for a decision. Reads which bots have rejected each task or let its
  /// offer expire: those are excluded.
  func prepared(_ rows: [TaskRow]) async throws -> [Waiting] {
    // A task without an attempt was never offered. Most tasks need no read therefore.
    let tried = rows.filter { $0.attempt > 0 }.map(\.id)
    let former =
      tried.isEmpty
      ? []
      : try await readyStore().read { snapshot in
        try tried.flatMap { task in
          var selection = AssignmentSelection(task: task)
          // Results may have megabytes, and the decision doesn't use them.
          selection.omitsTexts = true
          return try snapshot.assignments.assignments(selection)
        }
      }
    let byTask = Dictionary(grouping: former, by: \.task)
    let since = state.withLock { state in
      Dictionary(
        former.map { ($0.bot, state.records[$0.bot]?.since ?? 0) },
        uniquingKeysWith: { first, _ in first })
    }
    return rows.map { row in
      let definition = TaskDefinition(stored: row.definition)
      let excluded = (byTask[row.id] ?? []).filter { former in
        // A retry or a new execution asks every bot again.
        guard former.created >= row.asked ?? 0 else { return false }
        if former.state == .rejected { return true }
        // A bot that came online after its offer expired may get the task again.
        return former.state == .timedOut && (former.ended ?? 0) >= since[former.bot] ?? 0
      }
      return Waiting(
        row: row, definition: definition,
        task: Self.assignmentTask(row, definition, excluded: Set(excluded.map(\.bot))))
    }
  }

  /// Returns the properties of a task that decide which bot gets it.
  static func assignmentTask(
    _ row: TaskRow, _ definition: TaskDefinition, excluded: Set<String>
  ) -> AssignmentTask {
    AssignmentTask(
      id: "\(row.id)", type: row.type,
      priority: TaskPriority(clamping: Int(clamping: row.priority)), pinned: definition.bot,
      botType: definition.botType.map { BotType($0) }, capability: definition.capability,
      excluded: excluded, waitingSince: row.updated,
      details: ["name": .string(row.name), "input": definition.input])
  }

  /// A decision that isn't stored yet. The bot's slot is already reserved.
  struct PendingAssignment {
    let row: TaskRow
    let choice: Decision.Choice
    let decision: JSONObject
    let strategy: String
    let note: String

    /// The attempt that the task will have.
    var key: DispatcherState.Key {
      DispatcherState.Key(task: row.id, attempt: row.attempt.adding(1))
    }
  }

  /// Decides about a task and reserves the slot of the chosen bot.
  /// - Returns: nil if no bot is free. A task that no bot can ever take is then reported.
  func reserve(for waiting: Waiting) async -> PendingAssignment? {
    let decision = await decide(waiting.task)
    let waited = max(0, now().subtracting(waiting.row.updated))
    guard let choice = decision.choice else {
      state.withLock {
        $0.statistics[decision.strategy.name, default: .init()].decided(decision, waited: waited)
      }
      reportUnavailable(waiting.row, waiting.task)
      return nil
    }
    // The decision may have waited for a module. The slot may be taken by now.
    guard reserve(choice, for: waiting.row, strategy: decision.strategy.name) == .made else {
      return nil
    }
    state.withLock {
      $0.statistics[decision.strategy.name, default: .init()].decided(decision, waited: waited)
    }
    return PendingAssignment(
      row: waiting.row, choice: choice, decision: decision.json,
      strategy: decision.strategy.name, note: decision.reason)
  }

  /// The outcome of ``reserve(_:for:strategy:)``.
  enum Reservation {
    case made
    /// Another decision has assigned the task. It may not be stored yet.
    case taskIsTaken
    case botIsFull
  }

  /// Reserves the slot of a bot before anything is stored, so that no other decision can use it.
  func reserve(_ choice: Decision.Choice, for row: TaskRow, strategy: String) -> Reservation {
    let moment = now()
    let (reservation, actions) = state.withLock { state -> (Reservation, [BotAction]) in
      // This will be the number of the attempt. `store` refuses the task if it has another.
      let key = DispatcherState.Key(task: row.id, attempt: row.attempt.adding(1))
      guard state.held[key] == nil else { return (.taskIsTaken, []) }
      guard let actions = state.roster.begin(choice.bot, capability: choice.capability, at: moment)
      else { return (.botIsFull, []) }
      state.held[key] = DispatcherState.Held(
        bot: choice.bot, capability: choice.capability, strategy: strategy,
        number: state.nextNumber())
      return (.made, actions)
    }
    // Outside of the lock: `announce` reads the state again.
    announce(actions, of: choice.bot)
    return reservation
  }

  /// Stores a decision. If that fails, frees the slot, and the loop tries again.
  func carryOut(_ pending: PendingAssignment) async {
    do {
      if try await store(pending, isByHand: false, by: nil) == nil { free(pending.key) }
    } catch {
      log(
        .warning, "Task \(pending.row.id) can't be assigned to \(pending.choice.bot) now. \(error)")
      wakeTimer.ring(at: now().adding(1_000), now: now())
      failed(pending, error)
    }
  }

  /// Frees the slot of a decision that couldn't be stored. If it may be stored nevertheless, the slot
  /// stays reserved until the loop has read the assignment: the bot has the task then.
  func failed(_ pending: PendingAssignment, _ error: any Error) {
    if (error as? StoreError)?.isDoubtful == true {
      doubt(.assignment(pending.key), after: error)
    } else {
      free(pending.key)
    }
  }

  /// Frees the slot that was reserved for an attempt.
  func free(_ key: DispatcherState.Key) {
    if let (held, actions) = removeAssignment(key, at: now()) {
      announce(actions, of: held.bot)
    }
  }

  /// Reports an assignment whose write failed and that is stored nevertheless, or frees its slot.
  /// - Parameter stored: the assignment and its task, if they are stored.
  func resolve(_ key: DispatcherState.Key, _ stored: (row: AssignmentRow, task: TaskRow)?) {
    // The lease may have ended meanwhile, which has freed the slot.
    guard state.withLock({ $0.held[key] != nil }) else { return }
    guard let (row, task) = stored, row.ended == nil, task.attempt == key.attempt, task.state.isHeld
    else {
      free(key)
      return wakeTimer.ring()
    }
    wasStored(row, task)
  }

  /// Stores an assignment with its task, and reports it to the bot.
  /// - Parameters:
  ///   - isByHand: whether a person has decided.
  ///   - actor: the actor that the history names. Nil means the agent.
  /// - Returns: nil if the task can't be assigned any more.
  /// - Throws: `conflict` if the task has another attempt by now; errors of the store.
  @discardableResult
  func store(_ pending: PendingAssignment, isByHand: Bool, by actor: String?) async throws
    -> AssignmentRow?
  {
    let moment = now()
    let isPerson = definition(of: pending.choice.bot)?.type == .user
    let row = AssignmentRow(
      task: pending.row.id, attempt: pending.row.attempt.adding(1), bot: pending.choice.bot,
      strategy: pending.strategy, capability: pending.choice.capability,
      decision: JSONValue.object(pending.decision).bytes(),
      waited: max(0, moment.subtracting(pending.row.updated)), created: moment)
    // A person may take any time to answer.
    let limit = isPerson ? BotPlan.forever : plan.answerWithin
    let assigned = try await tasks.assign(
      pending.row.id, to: pending.choice.bot, until: moment.adding(limit), note: pending.note,
      by: actor ?? "agent", isByHand: isByHand
    ) { task, transaction in
      // The reservation holds for this attempt only.
      guard task.attempt == row.attempt else {
        throw TaskError(.conflict, "Task \(task.id) has changed meanwhile; try again.")
      }
      // The row isn't read after the commit. If that read failed, the slot would be freed although
      // the bot has the task.
      var stored = row
      stored.id = try transaction.assignments.insert(row)
      return stored
    }
    guard let (task, stored) = assigned else { return nil }
    wasStored(stored, task)
    return stored
  }

  /// Reports an assignment once it is stored.
  private func wasStored(_ row: AssignmentRow, _ task: TaskRow) {
    // A task that is assigned now is reported again if no bot can take it later.
    let key = DispatcherState.Key(task: row.task, attempt: row.attempt)
    state.withLock { state in
      state.unassignable.remove(task.id)
      state.held[key]?.isStored = true
    }
    publishAssignment(row, task)
  }

  private typealias Listener = AsyncStream<Void>.Continuation

  /// Reports a stored assignment: to waiting callers, to a local bot or a webhook, and as an event.
  private func publishAssignment(_ row: AssignmentRow, _ task: TaskRow) {
    let (report, listeners) = state.withLock { state -> (JSONObject?, [Listener]) in
      let bot = state.roster[row.bot]
      return (bot.map { self.report($0, state) }, Array((state.listeners[row.bot] ?? [:]).values))
    }
    for listener in listeners { listener.yield() }
    begin(row)
    send(row)
    publishEvent(
      "task_assigned",
      [
        "task": .object(TaskReport(task).event), "bot": report.map(JSONValue.object) ?? .null,
        "assignment": .object(AssignmentReport(row).event(of: task)),
        "task_id": .string("\(task.id)"),
        "bot_id": .string(row.bot),
      ], about: "\(task.id)")
  }

  /// The step under which the report of a task is stored among its escalations. Policies have no
  /// negative steps.
  static let unassignableStep: Int64 = -1

  /// Stores whether a task was reported, and its event in the same transaction, so that it is
  /// reported once. After a failure, the next scan tries again.
  /// - Parameter event: the event. Nil removes the report.
  private func note(_ task: Int64, telling event: JSONObject?) {
    guard let store = try? readyStore() else { return }
    let row = EscalationRow(
      task: task, step: Self.unassignableStep, count: event == nil ? 0 : 1, last: now())
    store.submit(.savepoint) {
      try $0.assignments.put(row)
      if let event { try self.record(event, in: $0) }
    } completion: { [self] (outcome: Result<Void, any Error>) in
      guard case .failure(let error) = outcome else { return }
      log(.warning, "It can't be stored whether a bot can take task \(task). \(error)")
      // Undoes the change in memory: the next scan finds the same change and stores it.
      state.withLock { $0.unassignable.formSymmetricDifference([task]) }
      wakeTimer.ring(at: now().adding(1_000), now: now())
    }
  }

  /// Reports a task that the registered bots can never take. Reports it once, and again only after
  /// it was possible in the meantime.
  func reportUnavailable(_ row: TaskRow, _ task: AssignmentTask) {
    let (feasibility, isChange) = state.withLock { state -> (Feasibility, Bool) in
      // A pool may have no instance at the moment.
      let isPooled = task.pinned == nil && state.plan.pooledTypes.contains(task.type)
      let feasibility = isPooled ? .possible : state.roster.canEver(task)
      if feasibility.isPossible { return (feasibility, state.unassignable.remove(row.id) != nil) }
      return (feasibility, state.unassignable.insert(row.id).inserted)
    }
    guard isChange else { return }
    if feasibility.isPossible { return note(row.id, telling: nil) }
    let event = Self.trouble(
      "task_unassignable",
      [
        "task": .object(TaskReport(row).event), "task_id": .string("\(row.id)"),
        "reason": .string(feasibility.description),
      ], about: "\(row.id)", title: "No bot can take the task \"\(row.name)\" (\(row.id))")
    note(row.id, telling: event)
  }
}
