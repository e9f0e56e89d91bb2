internal import AgentStore
internal import Synchronization
internal import AgentSystem

/// Time-outs, retention, and what the start and the end of the host do to tasks.
extension TaskEngine {
  /// Requeues tasks that an earlier run of the host had.
  func recover(_ store: any Store) async throws {
    let (moment, plan) = (now(), plan)
    var next: Int64 = 0
    while true {
      let from = next
      let (count, last) = try await commit(store) { transaction in
        let held = try transaction.tasks.held(from: from, limit: 500)
        let transition = TaskTransition(in: transaction, at: moment)
        // A bot outside may have worked on while the host was down, and keeps its tasks.
        let own = held.filter { $0.owner?.hasPrefix("host:") == true }
        let changes = try own.compactMap { row in
          try transition.apply(to: row) { try $0.recover(ageing: plan.ageing, plan.losses) }
        }
        return (changes, (changes.count, held.last?.id))
      }
      if count > 0 {
        log(.warning, "\(count) tasks were running when the host ended; they continue.")
      }
      guard let last else { break }
      next = last.adding(1)
    }
    try await separateSuspects(store)
  }

  /// Applies time-outs and starts that are due, and sleeps until the next one.
  func runTimers(_ store: any Store) async {
    // What became due before the start.
    wakeTimer.ring()
    for await _ in wakeTimer.rings {
      do {
        try await reconcile(store)
        // `now()` notices a jump and submits the write that moves stored moments before it returns,
        // so that nothing below goes by the new time without them.
        while try await handleDeadlines(store, at: now()) {}
        let wake = try await store.read { try $0.tasks.nextWake() }
        let moment = now()
        let rate = state.withLock { $0.queueLimits.nextTime(now: moment) }
        if let next = [wake, rate].compactMap(\.self).min() {
          wakeTimer.ring(at: next, now: moment)
        }
      } catch {
        log(.warning, "Due tasks can't be processed now. \(error)")
        wakeTimer.ring(at: now().adding(1_000), now: now())
      }
      // The wake-up may be for a rate that has capacity again.
      flush()
    }
  }

  private static let maxAtOnce = 500

  /// Handles a page of what is due.
  /// - Returns: whether there may be more.
  private func handleDeadlines(_ store: any Store, at moment: Int64) async throws -> Bool {
    let (plan, randomFraction) = (plan, randomFraction)
    guard let next = try await store.read({ try $0.tasks.nextWake() }), next <= moment else {
      return false
    }
    return try await commit(store) { [self] transaction in
      // The clock may have been set back since `moment`, and stored moments with it.
      let moment = min(moment, now())
      let due = try transaction.tasks.due(by: moment, limit: Self.maxAtOnce)
      let transition = TaskTransition(in: transaction, at: moment, leaseEnds: .overdue)
      let changes = try due.compactMap { row in
        try transition.apply(to: row) { machine in
          try machine.handleDeadlines(
            ageing: plan.ageing, maxLost: plan.maxLost, randomFraction: randomFraction())
        }
      }
      let bytes = due.reduce(0) { $0 + $1.bytes }
      return (changes, due.count == Self.maxAtOnce || bytes >= TaskRow.pageBytes)
    }
  }

  /// Removes old tasks every ten minutes, and artifacts without a task once.
  func runRetention(_ store: any Store) async {
    await sweepArtifacts(store)
    while !Task.isCancelled {
      do {
        try await removeOld(store, before: now().subtracting(plan.keep))
      } catch {
        log(.warning, "Old tasks can't be removed. \(error)")
      }
      await countDead(store)
      await keepClock(store)
      try? await pause(.seconds(600))
    }
  }

  /// Goes through all tasks by number, a page at a time. Nothing is removed for an hour after a
  /// jump of the clock: ages would be computed by a clock that is maybe wrong.
  private func removeOld(_ store: any Store, before moment: Int64) async throws {
    var last: Int64 = 0
    while !Task.isCancelled, clock.isTrusted {
      let now = now()
      let removal = try await store.write(.freeing) { [last] in
        try $0.tasks.removeTasks(
          finishedBefore: moment, after: last, limit: Self.maxAtOnce, now: now)
      }
      if !removal.removed.isEmpty { await artifactStore?.remove(removal.removed) }
      guard let next = removal.last else { return }
      last = next
    }
  }

  /// Waits until no attempt runs, for this many milliseconds at most: an executor that ignores its
  /// cancellation must not keep the host from ending.
  private func drain(within milliseconds: Int64) async {
    var timer: Task<Void, any Error>?
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.attempts.isEmpty { return true }
        state.whenIdle = continuation
        return false
      }
      if isIdle { return continuation.resume() }
      // After the continuation is stored: a timer that ends before would find nothing to resume.
      timer = Task(executorPreference: executor) { [pause] in
        try await pause(.milliseconds(milliseconds))
        // The last attempt may take it first: it must be resumed once.
        self.state.withLock { $0.whenIdle.take() }?.resume()
      }
    }
    timer?.cancel()
  }

  /// Cancels the attempts. Tasks whose attempts don't end in time are requeued for the next start.
  func stop(_ store: any Store) async {
    let works = state.withLock { state in
      _ = state.phase.apply(.stop)
      return state.attempts.values.compactMap(\.work)
    }
    for work in works { work.cancel() }
    await drain(within: plan.stopGrace)
    do {
      var next: Int64? = 0
      while let from = next { next = try await requeueOwn(from: from, store) }
    } catch {
      // No reason not to end: the next start requeues them as after a kill.
      log(
        .warning,
        "The running tasks could not be requeued; the next start requeues them. \(error)")
    }
    let waiters = state.withLock { state in
      _ = state.phase.apply(.end)
      defer { state.waiters = [:] }
      return state.waiters.values.flatMap(\.self)
    }
    for waiter in waiters { waiter.continuation.resume(returning: nil) }
  }

  /// Requeues a page of the host's tasks when it ends, from a number on.
  /// - Returns: from where the next page begins; nil behind the last one.
  private func requeueOwn(from id: Int64, _ store: any Store) async throws -> Int64? {
    let (moment, ageing) = (now(), plan.ageing)
    let owner = owner
    return try await store.write { transaction in
      let held = try transaction.tasks.held(from: id, limit: Self.maxAtOnce)
      let transition = TaskTransition(in: transaction, at: moment)
      let note = "The host ended; the task continues at the next start."
      let changes = try held.filter { $0.owner == owner }.compactMap { row in
        try transition.apply(to: row) {
          try $0.requeue(ageing: ageing, maxLost: .max, note: note)
        }
      }
      try self.record(changes, in: transaction)
      return held.last.map { $0.id.adding(1) }
    }
  }
}
