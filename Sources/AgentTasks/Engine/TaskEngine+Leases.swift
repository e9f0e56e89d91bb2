public import AgentAssignment
public import AgentJSON
public import AgentStore
internal import Synchronization

/// Tasks that are assigned to bots. A report about one is accepted only under its lease.
extension TaskEngine {
  /// Returns the first tasks that wait for bots, by rank.
  /// - Parameters:
  ///   - place: the position after which the scan of the last call continues; `nil` begins a scan.
  ///   - freeBots: the bots with a free slot; `nil` for all waiting tasks.
  /// - Returns: at most `limit` tasks with at most ``TaskRow/pageBytes``. Only the last task may
  ///   exceed that size.
  public func waitingForBots(
    limit: Int, after place: QueuePosition? = nil, freeBots: FreeBots? = nil
  ) async throws -> WaitingPage {
    let (moment, store) = (now(), try readyStore())
    var requests = state.withLock { state in
      var requests =
        place == nil ? [] : state.queueLimits.unfinishedForBots(limit: limit, now: moment)
      requests += state.queueLimits.forBots(
        limit: limit, isFirst: place == nil, freeBots: freeBots, now: moment)
      return requests
    }
    var found: [(request: BotQueues.Request, queueKey: QueueHeads)] = []
    var read = WaitingRows()
    while !requests.isEmpty {
      let (heads, rows) = try await store.read { [requests, read] snapshot in
        let heads = try requests.map { try QueueHeads($0, after: place, in: snapshot.tasks) }
        var read = read
        // The rows are read in the same transaction, because usually no other queue is asked and
        // this is the whole page.
        try read.read(heads.flatMap(\.places), in: snapshot.tasks)
        return (heads, read)
      }
      for (request, queueKey) in zip(requests, heads) { found.append((request, queueKey)) }
      read = rows
      // Some queues may be empty. Then further queues fill the page.
      guard found.reduce(0, { $0 + $1.queueKey.places.count }) < limit else { break }
      requests = state.withLock {
        $0.queueLimits.forBots(limit: limit, isFirst: false, freeBots: freeBots, now: moment)
      }
    }
    let places = found.flatMap(\.queueKey.places).sorted().prefix(limit)
    var page = WaitingPage()
    for place in places {
      guard let row = read.rows[place.task] else { break }
      page.rows.append(row)
    }
    if page.rows.isEmpty, let first = places.first {
      // The bytes were used by tasks after it. Without this row, the scan would never continue.
      page.rows = [try await store.read { try $0.tasks.task(first.task) }].compactMap(\.self)
    }
    let seen = places.prefix(max(1, page.rows.count))
    // A queue of which the rest of a limit was read may have tasks behind those: if no bot may take
    // the first ones, they must not hold up the others. If bots take them, the limit ends the scan.
    let isLimited = found.contains { $0.queueKey.places.count == $0.request.limit }
    if seen.count < places.count || places.count == limit || isLimited { page.next = seen.last }
    state.withLock { [found] state in
      for (request, queueKey) in found {
        // A queue with tasks beyond the page isn't finished. The next page begins with them.
        let isSeen = queueKey.places.last.map { place in
          seen.last.map { place <= $0 } ?? false
        }
        state.queueLimits.finishScan(
          request, head: queueKey.head,
          isFinished: queueKey.places.count < request.limit && isSeen ?? true)
      }
    }
    return page
  }

  /// Returns the time at which a rate limit has capacity for tasks of bots again, or `nil` if none
  /// is exhausted.
  package func nextRateOfBots() -> Int64? {
    let moment = now()
    return state.withLock { $0.queueLimits.wakeOfBots(now: moment) }
  }

  /// Assigns these types to bots, even if the host could run them.
  /// - Parameter known: types for which a bot is registered, whatever its status. Their tasks can
  ///   be created even if the host doesn't know the type.
  public func leave(_ types: Set<String>, known: Set<String> = []) {
    leave(TypesOfBots(done: types, known: known))
    flush()
  }

  /// Assigns types to bots without starting tasks of the host. The caller calls ``flush()``.
  package func leave(_ types: TypesOfBots) {
    state.withLock { state in
      state.awaitsBots = false
      // Routing visits every queue, and most changes of bots change no type.
      guard state.typesOfBots != types else { return }
      state.typesOfBots = types
      let routing = state.routing
      state.queueLimits.route { routing.isOurs($0) }
    }
  }

  /// Announces a call of ``leave(_:known:)``. Until then, the error for an unknown type is
  /// `notReady` and not `invalid`.
  package func awaitBots() { state.withLock { $0.awaitsBots = true } }

  /// Assigns a queued task to a bot.
  /// - Parameters:
  ///   - moment: the time until which the bot must accept it, in Unix milliseconds.
  ///   - isByHand: whether a person decides. Then the task may also be waiting, scheduled, or
  ///     assigned to another bot, which loses it.
  /// - Returns: the task with its lease, or `nil` if it can't be assigned now.
  public func assign(
    _ id: Int64, to bot: String, until moment: Int64, note: String, by actor: String?,
    isByHand: Bool = false
  ) async throws -> TaskRow? {
    let assigned = try await assign(
      id, to: bot, until: moment, note: note, by: actor, isByHand: isByHand
    ) { _, _ in }
    return assigned?.task
  }

  /// Assigns a queued task to a bot.
  /// - Parameter also: stores further rows in the same transaction.
  /// - Returns: the task with its lease and the result of `also`, or `nil` if the task can't be
  ///   assigned now.
  package func assign<Stored: Sendable>(
    _ id: Int64, to bot: String, until moment: Int64, note: String, by actor: String?,
    isByHand: Bool,
    also: @escaping @Sendable (TaskRow, any StoreTransaction) throws -> Stored
  ) async throws -> (task: TaskRow, stored: Stored)? {
    let store = try readyStore()
    let now = now()
    let ageing = plan.ageing
    let place = QueueSlot(self)
    return try await commit(store, place: place) {
      transaction -> ([TaskChange], (task: TaskRow, stored: Stored)?) in
      guard let row = try transaction.tasks.task(id) else { throw TaskError.unknown(id) }
      if !isByHand {
        guard row.state == .queued, place.take(row.queueKey, at: now) else { return ([], nil) }
      }
      let end = LeaseEnd.withdrawn("It was assigned to another bot.")
      let transition = TaskTransition(in: transaction, at: now, by: actor, leaseEnds: end)
      let change = try transition.apply(to: row) { machine in
        if isByHand {
          try machine.free(ageing: ageing)
          // A task that another bot had uses its capacity already.
          guard row.state.isHeld || place.take(machine.row.queueKey, at: now) else {
            throw TaskError(.conflict, "Task \(id) can't begin: its limit is reached.")
          }
        }
        try machine.assign(to: bot, until: moment, note: note)
      }
      guard let change else { return ([], nil) }
      return ([change], (change.task, try also(change.task, transaction)))
    }
  }

  /// Records that the bot has begun the task.
  /// - Parameter silence: the longest time until the next heartbeat, in milliseconds; `nil` for a
  ///   local bot, whose time-outs the host enforces.
  public func accept(_ lease: TaskLease, silence: Int64?, by actor: String?) async throws -> TaskRow
  {
    try await change(lease.task, by: actor) { machine throws(TaskError) in
      try machine.accept(lease, silence: silence)
    }
  }

  /// Records that the bot rejects the task, and requeues the task.
  public func reject(_ lease: TaskLease, reason: String, by actor: String?) async throws -> TaskRow
  {
    let plan = plan
    let reason = plan.redact(reason)
    return try await change(lease.task, by: actor, leaseEnds: .rejected(reason)) {
      machine throws(TaskError) in
      try machine.reject(lease, ageing: plan.ageing, reason: reason)
    }
  }

  /// Records a heartbeat with the progress of the task.
  /// - Returns: the task. If its `cancelling` isn't `nil`, the bot must stop.
  public func heartbeat(
    _ lease: TaskLease, progress: JSONValue?, silence: Int64
  ) async throws -> TaskRow {
    let progress = progress?.mapStrings(plan.redact)
    return try await change(lease.task, by: nil) { machine throws(TaskError) in
      try machine.heartbeat(lease, progress: progress, silence: silence)
    }
  }

  /// Ends the attempt with an outcome.
  /// - Throws: `staleLease` if the lease has ended, as every report under a lease does.
  public func complete(
    _ lease: TaskLease, _ outcome: TaskOutcome, by actor: String?
  ) async throws -> TaskRow {
    let plan = plan
    let outcome = outcome.bounded(redacting: plan.redact).redacted(plan.redact)
    // Drawn outside the transaction, because the store may run the transaction twice and both runs
    // must have the same result.
    let randomFraction = randomFraction()
    return try await change(lease.task, by: actor, leaseEnds: .completed) {
      machine throws(TaskError) in
      try machine.end(lease, outcome, randomFraction: randomFraction, ageing: plan.ageing)
    }
  }

  /// Stores lines of the task's log. Secrets are redacted.
  public func log(_ lease: TaskLease, _ lines: [(stream: String, text: String)]) async throws {
    let store = try readyStore()
    let now = now()
    let plan = plan
    let rows = lines.map {
      TaskLogLine(
        task: lease.task, timestamp: now, attempt: lease.attempt, stream: $0.stream,
        text: plan.redact($0.text))
    }
    try await store.write { transaction in
      // Checked in the transaction, because the lease may have ended since the request.
      guard let row = try transaction.tasks.task(lease.task), row.state.isHeld,
        row.attempt == lease.attempt, row.owner == lease.owner
      else { throw lease.stale }
      try transaction.tasks.append(rows, keep: plan.logLines)
    }
  }

  /// Requeues the tasks of a bot that has ended.
  /// - Returns: the number of tasks.
  @discardableResult
  public func release(bot: String, note: String) async throws -> Int {
    try await release(BotRelease(bot: bot, note: note))
  }

  /// Requeues the tasks of a bot that has ended.
  /// - Returns: the number of tasks.
  @discardableResult
  package func release(_ release: BotRelease) async throws -> Int {
    let store = try readyStore()
    let plan = plan
    var (count, next): (Int, Int64?) = (0, 0)
    // One page for each transaction, because a bot may have any number of tasks, each of megabytes.
    while let from = next {
      let moment = now()
      let changed = try await commit(store) { transaction in
        let page = try release.page(
          from: from, at: moment, ageing: plan.ageing, limits: plan.losses, in: transaction)
        return (page.changes, (count: page.changes.count, next: page.next))
      }
      count += changed.count
      next = changed.next
    }
    return count
  }

  /// Requeues the tasks of local bots when the host ends. If that can't be stored, the next start
  /// requeues them.
  package func release(_ bots: [String], in store: any Store, note: String) async {
    let (moment, ageing) = (now(), plan.ageing)
    for bot in bots {
      let release = BotRelease(bot: bot, note: note)
      var next: Int64? = 0
      while let from = next {
        do {
          next = try await store.write { transaction in
            // A regular end of the host isn't counted as a loss, because the task didn't cause it.
            let limits = LossLimits(lost: .max, hostEnds: .max)
            let page = try release.page(
              from: from, at: moment, ageing: ageing, limits: limits, in: transaction)
            // The changes aren't applied in memory, because the host ends.
            try self.record(page.changes, in: transaction)
            return page.next
          }
        } catch {
          return log(.warning, "The tasks of \(bot) can't be requeued now. \(error)")
        }
      }
    }
  }

  /// Requeues a task that its bot can't do. The task isn't blamed.
  /// - Parameter maxLost: the number of losses after which the task is dead. The plan's number
  ///   applies if it is less.
  package func requeue(_ lease: TaskLease, note: String, maxLost: Int64) async throws {
    let plan = plan
    _ = try await change(lease.task, by: nil, leaseEnds: .withdrawn(note)) {
      machine throws(TaskError) in
      try machine.requeue(
        lease, ageing: plan.ageing, maxLost: min(maxLost, plan.maxLost), note: note)
    }
  }
}
