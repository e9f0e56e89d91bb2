internal import AgentAssignment
internal import AgentJSON
internal import AgentStore
internal import AgentSystem
internal import AgentTasks
internal import Synchronization

/// Makes memory agree with the database after a write of a request that failed but may be stored
/// nevertheless. Otherwise, such a change would be in force from the next start on.
extension TaskDispatcher {
  /// Handles a failed write. If it may be stored nevertheless, the loop reads what it changed until
  /// the database answers.
  func doubt(_ part: DispatcherState.StoredPart, after error: any Error) {
    guard (error as? StoreError)?.isDoubtful == true else { return }
    state.withLock { _ = $0.doubtful.insert(part) }
    // With a delay: an immediate try would probably fail too.
    wakeTimer.ring(at: now().adding(1_000), now: now())
  }

  /// Reads again what failed writes may have stored. After a failure, the loop tries again each
  /// second.
  func reconcile() async {
    for part in state.withLock(\.doubtful) {
      do {
        try await reconcile(part)
      } catch {
        state.withLock { _ = $0.doubtful.insert(part) }
        wakeTimer.ring(at: now().adding(1_000), now: now())
      }
    }
  }

  private func reconcile(_ part: DispatcherState.StoredPart) async throws {
    let store = try readyStore()
    // Before the read: a write that fails from now on is in doubt again.
    state.withLock { _ = $0.doubtful.remove(part) }
    switch part {
    case .bot(let id):
      let change = try await readAgain(store) {
        try $0.bots.bot(id)
      } apply: { row in
        try row.map { try self.apply($0) } ?? self.removed(id)
      }
      await finish(change, of: id)
    case .strategy:
      try await readAgain(store) {
        try $0.bots.strategy()
      } apply: { name in
        let strategy = try name.map { try AssignmentStrategy(named: $0, custom: [$0]) }
        self.state.withLock { $0.chosenStrategy = strategy }
      }
      wakeTimer.ring()
    case .assignment(let key):
      let stored = try await readAgain(store) { transaction in
        let row = try transaction.assignments.assignment(task: key.task, attempt: key.attempt)
        let task = try transaction.tasks.task(key.task)
        return row.flatMap { row in task.map { (row: row, task: $0) } }
      } apply: {
        $0
      }
      resolve(key, stored)
    }
  }

  /// Reads in a write, whose end is in the order of the commits: later changes are applied after it.
  private func readAgain<Stored: Sendable, Value: Sendable>(
    _ store: any Store, _ body: @escaping @Sendable (any StoreTransaction) throws -> Stored,
    apply: @escaping @Sendable (Stored) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      // It changes nothing, so it is tried on a full disk too.
      store.submit(.freeing, body) { outcome in
        continuation.resume(with: outcome.flatMap { stored in Result { try apply(stored) } })
      }
    }
  }

  /// What memory lacked of a bot.
  private enum Reconciled: Sendable {
    case nothing
    case added(WithheldTypes?)
    case changed([BotAction])
    /// The bot before its removal.
    case removed(JSONObject)
  }

  /// Removes a bot that isn't stored from memory.
  private func removed(_ id: String) -> Reconciled {
    let moment = now()
    return state.withLock { state in
      // A bot of the settings is never stored.
      guard state.local[id] == nil, let bot = state.roster[id] else { return .nothing }
      let report = report(bot, state)
      state.unregister(id, at: moment)
      return .removed(report)
    }
  }

  /// Applies a stored bot in memory.
  private func apply(_ row: BotRow) throws(TaskError) -> Reconciled {
    let moment = now()
    let isNew = state.withLock { $0.local[row.id] == nil && $0.roster[row.id] == nil }
    if isNew {
      let stored = Self.stored(row, types: plan.types, at: moment)
      guard let bot = stored.bot else { return .nothing }
      return .added(
        state.withLock { state in
          state.shares.add(bot.definition.bytes, of: row.owner)
          return state.register(bot, stored.record)
        })
    }
    let types = plan.types
    return .changed(
      try apply({ $0.reconcile(row, types: types, at: moment) }, to: row.id, at: moment))
  }

  /// Performs what follows from a change of memory.
  private func finish(_ change: Reconciled, of id: String) async {
    switch change {
    case .nothing: break
    case .added(let withheld): finishRegistering(id, withheld)
    case .changed(let actions): await finish(actions, of: id)
    case .removed(let report):
      await finishUnregistering(id, report, note: "The bot was unregistered.")
    }
  }
}

extension DispatcherState {
  /// Applies a stored row to a bot in memory.
  /// - Returns: the actions that the caller must perform; nil if the bot isn't known.
  fileprivate mutating func reconcile(
    _ row: BotRow, types: [String], at moment: Int64
  ) -> [BotAction]? {
    guard let former = roster[row.id] else { return nil }
    guard local[row.id] == nil, let stored = Bot(row, types: types, heardOf: nil) else { return [] }
    var actions: [BotAction] = []
    if former.definition != stored.definition {
      actions += roster.update(row.id, stored.definition) ?? []
      resize(row.id, to: stored.definition.bytes)
      records[row.id]?.authority = TaskAuthority(stored: row.authority, actor: row.owner)
      _ = withhold(from: row.id)
      markAffected(former, roster[row.id])
    }
    // A loss that isn't stored yet, and a heartbeat that isn't stored, are newer than the row.
    let isNewer = losses[row.id] != nil || (stored.lifecycle.isLost && !former.lifecycle.isLost)
    if former.lifecycle != stored.lifecycle, !isNewer {
      for event in stored.lifecycle.events {
        actions += roster.apply(event, to: row.id, at: moment) ?? []
      }
    }
    return actions
  }
}
