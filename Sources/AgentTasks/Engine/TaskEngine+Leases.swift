public import AgentAssignment
public import AgentJSON
public import AgentStore
internal import Synchronization

/// Tasks that bots have. A report about one counts only under its lease.
extension TaskEngine {
  /// The first tasks that wait for bots, by rank.
  /// - Parameters:
  ///   - place: continues the scan of the last call after this place; nil begins a scan.
  ///   - freeBots: the bots with a free slot; nil for all waiting tasks.
  /// - Returns: at most `limit` tasks, and no more than ``TaskRow/pageBytes`` but for the last one.
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
        // At once, because most often no other queue is asked and this is the whole page.
        try read.read(heads.flatMap(\.places), in: snapshot.tasks)
        return (heads, read)
      }
      for (request, queueKey) in zip(requests, heads) { found.append((request, queueKey)) }
      read = rows
      // Queues may turn out to be empty: then further queues fill the page.
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
      // The bytes went to tasks behind it. Without it the scan would stand still.
      page.rows = [try await store.read { try $0.tasks.task(first.task) }].compactMap(\.self)
    }
    let seen = places.prefix(max(1, page.rows.count))
    if seen.count < places.count || places.count == limit { page.next = seen.last }
    state.withLock { [found] state in
      for (request, queueKey) in found {
        // A queue with tasks beyond the page isn't finished: the next page begins with them.
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

  /// When a rate that holds back tasks for bots has capacity again; nil if none does.
  package func nextRateOfBots() -> Int64? {
    let moment = now()
    return state.withLock { $0.queueLimits.wakeOfBots(now: moment) }
  }

  /// Leaves these types to bots, even if the host could run them.
  /// - Parameter known: types for which a bot is registered, whatever its status. Their tasks can
  ///   be created even if the host doesn't know the type.
  public func leave(_ types: Set<String>, known: Set<String> = []) {
    leave(TypesOfBots(done: types, known: known))
    flush()
  }

  /// The same, without beginning what the host may do now: the caller calls ``flush()``.
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

  /// Says that ``leave(_:known:)`` will be called. Until then an unknown type is `notReady` and not
  /// `invalid`.
  package func awaitBots() { state.withLock { $0.awaitsBots = true } }

  /// Gives a queued task to a bot.
  /// - Parameters:
  ///   - moment: when the bot has to have accepted it, in Unix milliseconds.
  ///   - isByHand: a person decides: the task may also be waiting, scheduled, or assigned to
  ///     another bot, from which it is taken.
  /// - Returns: the task with its lease; nil if it can't be given to a bot now.
  public func assign(
    _ id: Int64, to bot: String, until moment: Int64, note: String, by actor: String?,
    isByHand: Bool = false
  ) async throws -> TaskRow? {
    let assigned = try await assign(
      id, to: bot, until: moment, note: note, by: actor, isByHand: isByHand
    ) { _, _ in }
    return assigned?.task
  }

  /// Gives a queued task to a bot.
  /// - Parameter also: stores more in the same transaction.
  /// - Returns: the task with its lease, and what `also` returned; nil if the task can't be given
  ///   to a bot now.
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
          // Taken from another bot, the task has its place already.
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

  /// The bot has begun.
  /// - Parameter silence: the longest time to the next heartbeat, in milliseconds; nil for a local
  ///   bot, whose time-outs the host enforces.
  public func accept(_ lease: TaskLease, silence: Int64?, by actor: String?) async throws -> TaskRow
  {
    try await change(lease.task, by: actor) { machine throws(TaskError) in
      try machine.accept(lease, silence: silence)
    }
  }

  /// The bot rejects the task, which is requeued.
  public func reject(_ lease: TaskLease, reason: String, by actor: String?) async throws -> TaskRow
  {
    let plan = plan
    let reason = plan.redact(reason)
    return try await change(lease.task, by: actor, leaseEnds: .rejected(reason)) {
      machine throws(TaskError) in
      try machine.reject(lease, ageing: plan.ageing, reason: reason)
    }
  }

  /// Takes a heartbeat with the progress of the task.
  /// - Returns: the task; its `cancelling` tells the bot to stop.
  public func heartbeat(
    _ lease: TaskLease, progress: JSONValue?, silence: Int64
  ) async throws -> TaskRow {
    let progress = progress?.mapStrings(plan.redact)
    return try await change(lease.task, by: nil) { machine throws(TaskError) in
      try machine.heartbeat(lease, progress: progress, silence: silence)
    }
  }

  /// Ends the attempt.
  /// - Throws: `staleLease` if the lease is over, like every report under a lease.
  public func complete(
    _ lease: TaskLease, _ outcome: TaskOutcome, by actor: String?
  ) async throws -> TaskRow {
    let plan = plan
    let outcome = outcome.bounded().redacted(plan.redact)
    // Drawn here: the store may run the transaction twice, which must have one result.
    let randomFraction = randomFraction()
    return try await change(lease.task, by: actor, leaseEnds: .completed) {
      machine throws(TaskError) in
      try machine.end(lease, outcome, randomFraction: randomFraction, ageing: plan.ageing)
    }
  }

  /// Stores lines of the task's log.
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
      guard let row = try transaction.tasks.task(lease.task), row.state.isHeld,
        row.attempt == lease.attempt, row.owner == lease.owner
      else { throw lease.stale }
      try transaction.tasks.append(rows, keep: plan.logLines)
    }
  }

  /// Requeues the tasks of a bot that has gone.
  /// - Returns: the number of tasks.
  @discardableResult
  public func release(bot: String, note: String) async throws -> Int {
    try await release(bot: bot, note: note, maxLost: .max)
  }

  /// - Parameters:
  ///   - maxLost: a task is dead after this many losses, or the plan's if that is less.
  ///   - hasHostEnded: the bot is a local one, and the host was killed while it had the tasks.
  @discardableResult
  package func release(
    bot: String, note: String, maxLost: Int64 = .max, hasHostEnded: Bool = false
  ) async throws -> Int {
    let store = try readyStore()
    let plan = plan
    var release = BotRelease(bot: bot, note: note, ageing: plan.ageing, losses: plan.losses)
    release.losses.lost = min(release.losses.lost, maxLost)
    release.hasHostEnded = hasHostEnded
    var (count, next): (Int, Int64?) = (0, 0)
    // A page at a time: a bot may have as many tasks as it likes, each of megabytes.
    while let from = next {
      let moment = now()
      let changed = try await commit(store) { [release] transaction in
        let page = try release.page(from: from, at: moment, in: transaction)
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
      // A host that ends in good order is no sign that the task is to blame.
      let release = BotRelease(
        bot: bot, note: note, ageing: ageing, losses: LossLimits(lost: .max, hostEnds: .max))
      var next: Int64? = 0
      while let from = next {
        do {
          next = try await store.write { transaction in
            let page = try release.page(from: from, at: moment, in: transaction)
            try self.record(page.changes, in: transaction)
            return page.next
          }
        } catch {
          return log(.warning, "The tasks of \(bot) can't be requeued now. \(error)")
        }
      }
    }
  }

  /// Requeues a task that its bot can't do, which isn't the task's fault.
  /// - Parameter maxLost: the task is dead after this many losses, or the plan's if that is less.
  package func requeue(_ lease: TaskLease, note: String, maxLost: Int64) async throws {
    let plan = plan
    _ = try await change(lease.task, by: nil, leaseEnds: .withdrawn(note)) {
      machine throws(TaskError) in
      try machine.requeue(
        lease, ageing: plan.ageing, maxLost: min(maxLost, plan.maxLost), note: note)
    }
  }
}
