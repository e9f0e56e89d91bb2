internal import AgentJSON
package import AgentStore
internal import AgentSystem
internal import Synchronization

/// Runs the attempts of the host.
extension TaskEngine {
  /// Starts attempts from a Swift task of its own, because the writer's thread has the next write to
  /// do.
  func startApart(_ changes: [TaskChange], _ turn: WriteBatch) {
    guard !changes.isEmpty else { return }
    Task(executorPreference: executor) { self.start(changes, turn) }
  }

  /// Starts attempts, each in its own Swift task.
  private func start(_ changes: [TaskChange], _ turn: WriteBatch) {
    let wanted = withoutUnwanted(changes)
    let works = wanted.map { change in
      (
        change.task.key,
        Task(executorPreference: executor) { await self.attempt(change.task, turn) }
      )
    }
    // An attempt may have ended or been cancelled before its Swift task was stored here.
    let unwanted = state.withLock { state in
      var unwanted: [Task<Void, Never>] = []
      for (key, work) in works where state.attempts[key] != nil {
        state.attempts[key]?.work = work
        if state.phase.isStopping || state.attempts[key]?.isCancelled == true {
          unwanted.append(work)
        }
      }
      return unwanted
    }
    for work in unwanted { work.cancel() }
  }

  /// Returns the attempts that may start, and ends the others: they were cancelled, or the host began
  /// to stop, after they were stored. A task whose cancellation or requeueing is durable must not
  /// begin.
  private func withoutUnwanted(_ changes: [TaskChange]) -> [TaskChange] {
    let moment = now()
    var next: WriteBatch?
    var idle: CheckedContinuation<Void, Never>?
    let wanted = state.withLock { state in
      let wanted = changes.filter { change in
        guard let attempt = state.attempts[change.task.key] else { return false }
        guard attempt.isCancelled || state.phase.isStopping else { return true }
        state.attempts[change.task.key] = nil
        // `stop` requeues a task that wasn't cancelled.
        if attempt.isCancelled { state.ended.append(.cancelled(change.task, owner: owner)) }
        return false
      }
      guard wanted.count < changes.count else { return wanted }
      if state.attempts.isEmpty { idle = state.whenIdle.take() }
      next = state.nextWriteBatch(now: moment, owner: owner, randomFraction: randomFraction)
      return wanted
    }
    take(next)
    idle?.resume()
    return wanted
  }

  /// Cancels the host's attempts of these tasks. They end later.
  package func interrupt(_ tasks: [TaskRow]) {
    guard !tasks.isEmpty else { return }
    let works = state.withLock { state in
      tasks.map(\.key).compactMap { key in
        state.attempts[key]?.isCancelled = true
        return state.attempts[key]?.work
      }
    }
    // Outside the lock, because cancellation handlers may take it.
    for work in works { work.cancel() }
  }

  /// Runs an attempt of the host and adds its outcome to the next write batch.
  private func attempt(_ row: TaskRow, _ turn: WriteBatch) async {
    let notes = notes(of: row, turn.store, turn.plan)
    let outcome = await outcome(of: row, turn.plan, notes)
    // The log and the progress are stored before the end, so that a reader who sees the end also
    // finds them.
    await notes.end()
    let (moment, isInterrupted) = (now(), Task.isCancelled && !outcome.isSuccess)
    let lease = TaskLease(task: row.id, attempt: row.attempt, owner: owner)
    // Here and not in the transaction, because the writer's thread is the one that all wait for.
    let step = endStep(of: row, lease, outcome, at: moment, ageing: turn.plan.ageing)
    let (next, idle) = state.withLock { state in
      let attempt = state.attempts.removeValue(forKey: row.key)
      let idle = state.attempts.isEmpty ? state.whenIdle.take() : nil
      // The end of the host interrupted it, so `stop` requeues the task. A success is stored
      // nevertheless.
      if state.phase.isStopping, attempt?.isCancelled != true, isInterrupted {
        return (WriteBatch?.none, idle)
      }
      state.ended.append(EngineState.Ended(lease: lease, outcome: outcome, step: step))
      return (state.nextWriteBatch(now: moment, owner: owner, randomFraction: randomFraction), idle)
    }
    take(next)
    idle?.resume()
  }

  /// Returns an empty collection of the log lines of an attempt.
  private func notes(of row: TaskRow, _ store: (any Store)?, _ plan: TaskPlan) -> TaskNotes {
    TaskNotes(
      row, store: store, keep: plan.logLines, now: now, pause: pause,
      isStopping: { [weak self] in self?.state.withLock(\.phase.isStopping) ?? true })
  }

  /// Returns the end of an attempt whose task hasn't changed since it began, as is usual. `nil` if
  /// the state machine refuses it. Then the write batch tries the stored row.
  private func endStep(
    of row: TaskRow, _ lease: TaskLease, _ outcome: TaskOutcome, at moment: Int64, ageing: Int64
  ) -> TaskStep? {
    var machine = TaskStateMachine(row, now: moment)
    do {
      try machine.end(lease, outcome, randomFraction: randomFraction(), ageing: ageing)
      return TaskStep(from: row, to: machine.row)
    } catch {
      return nil
    }
  }

  /// Runs one attempt of a task for a local bot, with the same time-outs and logs as attempts of
  /// the host.
  /// - Throws: only ``BotLost``.
  package func attempt(_ row: TaskRow, by executor: any TaskExecutor) async throws -> TaskOutcome {
    let plan = plan
    let notes = notes(of: row, try? readyStore(), plan)
    do {
      let outcome = try await outcome(of: row, by: executor, plan, notes)
      await notes.end()
      return outcome
    } catch {
      await notes.end()
      throw error
    }
  }

  private func outcome(
    of row: TaskRow, _ plan: TaskPlan, _ notes: TaskNotes
  ) async -> TaskOutcome {
    guard let executor = plan.types[row.type]?.executor else {
      return .failed(error: "Nothing executes tasks of the type \"\(row.type)\" any more.")
    }
    do {
      return try await outcome(of: row, by: executor, plan, notes)
    } catch {
      return .failed(error: "\(error)")
    }
  }

  private func outcome(
    of row: TaskRow, by executor: any TaskExecutor, _ plan: TaskPlan, _ notes: TaskNotes
  ) async throws -> TaskOutcome {
    guard TaskDefinition.isReadable(row.definition) else {
      // Without a readable definition, it would run without input, time-outs and limits.
      return .failed(error: "The task's definition can't be read.", isFinal: true)
    }
    let definition = TaskDefinition(stored: row.definition)
    var work = TaskWork(
      task: row, definition: definition, log: { notes.log($0, plan.redact($1)) },
      progress: { notes.progress($0.mapStrings(plan.redact)) })
    let lease = work.lease
    work.leave = { name, bytes async throws(TaskError) in
      do {
        try await self.keep(bytes, as: name, mediaType: nil, of: row.id, lease: lease)
      } catch {
        throw error as? TaskError ?? TaskError(.notReady, "\(error)")
      }
    }
    let attempt = work
    // The total time-out begins with the request. Earlier attempts have used a part of it.
    let rest = definition.timeouts.total.flatMap { total in
      row.asked.map { $0.adding(total).subtracting(now()) }
    }
    let limit = [definition.timeouts.run, rest].compactMap(\.self).min()
    do {
      let outcome = try await limited(to: limit) { try await executor.run(attempt) }
      return outcome.bounded(redacting: plan.redact).redacted(plan.redact)
    } catch is TimeOut {
      return .failed(error: "It took longer than \(limit ?? 0) ms and was stopped.")
    } catch is CancellationError {
      return .cancelled()
    } catch let loss as BotLost {
      throw loss
    } catch {
      return TaskOutcome.failed(error: "\(error)").redacted(plan.redact)
    }
  }

  private struct TimeOut: Error {}

  /// Ten years in milliseconds: the limit of a timer. A time-out may have any length.
  private static let longestWait: Int64 = 315_360_000_000

  /// Runs `body` and throws ``TimeOut`` if it takes longer than this number of milliseconds; `nil`
  /// means no limit.
  private func limited(
    to milliseconds: Int64?, _ body: @escaping @Sendable () async throws -> TaskOutcome
  ) async throws -> TaskOutcome {
    guard let milliseconds else { return try await body() }
    return try await withThrowingTaskGroup(of: TaskOutcome?.self) { group in
      group.addTask { try await body() }
      group.addTask { [pause] in
        if (try? await pause(.milliseconds(milliseconds.clamped(to: 0...Self.longestWait)))) != nil
        {
          throw TimeOut()
        }
        // The attempt was cancelled and didn't time out. The executor returns the outcome.
        return nil
      }
      defer { group.cancelAll() }
      while let outcome = try await group.next() {
        if let outcome { return outcome }
      }
      throw TimeOut()
    }
  }
}

extension StoredLease {
  var key: EngineState.AttemptKey { EngineState.AttemptKey(task: task, number: attempt) }
}

extension TaskRow {
  var key: EngineState.AttemptKey { EngineState.AttemptKey(task: id, number: attempt) }

  /// The position among queued tasks.
  package var place: QueuePosition { QueuePosition(rank: rank, task: id) }
}

extension TaskOutcome {
  fileprivate var isSuccess: Bool {
    if case .succeeded = self { return true }
    return false
  }

  /// Returns the outcome without secrets in its output, its error and its note.
  func redacted(_ redact: (String) -> String) -> TaskOutcome {
    switch self {
    case .succeeded(let output): .succeeded(output.mapStrings(redact))
    case .failed(let error, let output, let isFinal):
      .failed(error: redact(error), output: output.mapStrings(redact), isFinal: isFinal)
    case .snoozed(let milliseconds, let note):
      .snoozed(milliseconds: milliseconds, note: redact(note))
    case .cancelled(let output): .cancelled(output: output.mapStrings(redact))
    }
  }
}
