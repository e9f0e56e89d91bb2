internal import AgentStore
internal import Synchronization
internal import AgentSystem

/// Handles time-outs, and the tasks at the start and the end of the host.
extension TaskEngine {
  /// Requeues tasks that a former run of the host had.
  func recover(_ store: any Store) async throws {
    let (moment, plan) = (now(), plan)
    var next: Int64 = 0
    while true {
      let from = next
      let (count, last) = try await commit(store) { transaction in
        let held = try transaction.tasks.held(from: from, limit: 500)
        let transition = TaskTransition(in: transaction, at: moment)
        // A remote bot may have continued while the host was down, so it keeps its tasks.
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

  /// Handles due time-outs and starts, and sleeps until the next one.
  func runTimers(_ store: any Store) async {
    // Some tasks may have become due before the start.
    wakeTimer.ring()
    for await _ in wakeTimer.rings {
      do {
        try await reconcile(store)
        try await removeUnnamedFiles(store)
        // `now()` detects a jump of the clock. It submits the write that moves stored times before
        // it returns, so nothing below uses the new time with the old stored times.
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
      // The timer may have fired for a rate limit that has capacity again.
      flush()
    }
  }

  private static let maxAtOnce = 500

  /// Handles one page of due tasks.
  /// - Returns: whether there may be further due tasks.
  private func handleDeadlines(_ store: any Store, at moment: Int64) async throws -> Bool {
    let (plan, randomFraction) = (plan, randomFraction)
    guard let next = try await store.read({ try $0.tasks.nextWake() }), next <= moment else {
      return false
    }
    return try await commit(store) { [self] transaction in
      // The clock may have been set back since `moment`. Then stored times have moved too.
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

  /// Waits until no attempt runs, but at most this number of milliseconds. An executor that ignores
  /// its cancellation must not keep the host from ending.
  private func drain(within milliseconds: Int64) async {
    var timer: Task<Void, any Error>?
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.attempts.isEmpty { return true }
        state.whenIdle = continuation
        return false
      }
      if isIdle { return continuation.resume() }
      // After the continuation is stored. A timer that fired earlier would find nothing to resume.
      timer = Task(executorPreference: executor) { [pause] in
        try await pause(.milliseconds(milliseconds))
        // The last attempt may have taken the continuation. It must be resumed only once.
        self.state.withLock { $0.whenIdle.take() }?.resume()
      }
    }
    timer?.cancel()
  }

  /// Cancels the attempts and ends the engine. Tasks whose attempts don't end in time are requeued.
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
      // The engine ends nevertheless. The next start requeues the tasks, as after a kill.
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

  /// Requeues one page of the host's tasks when it ends, from a task number on.
  /// - Returns: the first task number of the next page; `nil` after the last page.
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
      // The changes aren't applied in memory, because the host ends.
      try self.record(changes, in: transaction)
      return held.last.map { $0.id.adding(1) }
    }
  }
}
