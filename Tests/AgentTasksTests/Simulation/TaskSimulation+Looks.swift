import AgentJSON
import AgentStore
import AgentTasks
import AgentTasksTesting

/// What must be so whenever nothing can happen without time passing, and at the end.
extension TaskSimulation {
  func look() throws {
    try lookAtAnswers()
    try lookAtDatabase()
    try lookAtAttempts()
    // A request that the disk refused waits a second.
    if !isRefused {
      rules.isInDoubt = false
      try lookForStandstill()
    }
  }

  private func lookAtAnswers() throws {
    for request in requests {
      guard let answer = request.answer else { throw BrokenRule("no answer to \(request.kind)") }
      if case .retryAll = request.kind { continue }
      if case .failure = answer, request.isStored {
        throw BrokenRule("\(request.kind) is stored, and was answered with \(answer)")
      }
    }
    requests = []
  }

  /// The stored rows are those whose writes were seen, and the counts beside them are right.
  private func lookAtDatabase() throws {
    struct Seen: Sendable {
      let rows: [TaskRow]
      let counts: [TaskCount]
      let batches: [TaskBatch]
      let open: [AssignmentRow]
    }
    let seen = try host.store.now { transaction in
      Seen(
        rows: try transaction.tasks.tasks(TaskSelection(limit: .max)),
        counts: try transaction.tasks.taskCounts(),
        batches: try transaction.tasks.batches(before: nil, limit: .max),
        open: try transaction.assignments.openAssignments())
    }
    guard Dictionary(uniqueKeysWithValues: seen.rows.map { ($0.id, $0) }) == rules.rows else {
      throw BrokenRule("what is stored isn't what was written")
    }
    let counts = Dictionary(grouping: seen.rows) { "\($0.type) \($0.state)" }.mapValues(\.count)
    let counted = seen.counts.map { ("\($0.type) \($0.state)", Int($0.count)) }
    guard counts == Dictionary(uniqueKeysWithValues: counted) else {
      throw BrokenRule("counted are \(counted), and there are \(counts)")
    }
    for batch in seen.batches {
      let rows = seen.rows.filter { $0.batch == batch.id }
      let pending = rows.count { !$0.state.isEnded }
      let bad = rows.count { $0.state.isEnded && $0.state != .succeeded }
      guard batch.total == rows.count, batch.pending == pending, batch.unsuccessful == bad else {
        throw BrokenRule("\(batch), and there are \(rows.count), \(pending), \(bad)")
      }
    }
    let held = seen.rows.filter { Self.bots.contains($0.owner ?? "") }
    let leases = Set(held.map { "\($0.id) \($0.attempt) \($0.owner ?? "")" })
    guard leases == Set(seen.open.map { "\($0.task) \($0.attempt) \($0.bot)" }) else {
      throw BrokenRule(
        "leases \(leases), and assignments \(seen.open.map { "\($0.task) \($0.attempt)" })")
    }
  }

  /// The host runs what it has leases for; a cancelled attempt got its cancellation.
  private func lookAtAttempts() throws {
    let running = rules.rows.values.filter { $0.owner == "host:\(host.name)" }
    let attempts = Set(host.controlled.attempts)
    for row in running {
      let attempt = ScriptedExecutor.Attempt(task: row.id, number: row.attempt)
      let isWritten = !isRefused
      if !attempts.contains(attempt), isWritten { throw BrokenRule("nobody does task \(row.id)") }
      if row.cancelling != nil, isWritten, attempts.contains(attempt),
        !host.controlled.isCancelled(attempt)
      {
        throw BrokenRule("attempt \(row.attempt) of \(row.id) wasn't told to stop")
      }
    }
    for attempt in attempts where !rules.isInDoubt && !host.controlled.isCancelled(attempt) {
      let row = rules.rows[attempt.task]
      if row?.attempt != attempt.number || row?.state != .running {
        throw BrokenRule("attempt \(attempt.number) of \(attempt.task) goes on without a lease")
      }
    }
    if host.engine.running != attempts.count {
      throw BrokenRule("the host counts \(host.engine.running) attempts of \(attempts.count)")
    }
    if let twice = host.controlled.begunTwice.first { throw BrokenRule("\(twice) was begun twice") }
  }

  /// Nothing waits that could go on.
  private func lookForStandstill() throws {
    let now = clock.now
    if let late = rules.rows.values.first(where: { $0.wake.map { $0 <= now } ?? false }) {
      throw BrokenRule("nobody looks after task \(late.id), which is \(late.state)")
    }
    guard host.controlled.attempts.count < slots else { return }
    for row in rules.rows.values where row.state == .queued && !isForBots(row) {
      if rules.mayBegin(row, now: now) {
        throw BrokenRule("task \(row.id) stands still though a place is free")
      }
    }
  }

  /// What is to come later than this isn't waited for.
  private static let patience: Int64 = 100_000

  /// Brings everything to its end: every task that was acknowledged ends. One whose turn comes in
  /// years is cancelled.
  func finish() throws {
    if isLeft { leave() }
    for _ in 0..<400 {
      try rest(mayRefuse: false)
      for row in rules.rows.values.sorted(by: { $0.id < $1.id })
      where row.state == .scheduled && (row.runAt ?? 0) > clock.now + Self.patience {
        ask(.cancel(row.id, isForced: true), "cancel \(row.id), which would begin much later") {
          _ = try await $0.cancel(row.id, isForced: true, by: nil)
        }
      }
      try rest(mayRefuse: false)
      for attempt in host.controlled.attempts {
        host.controlled.end(attempt, .success(.succeeded(.null)))
      }
      try rest(mayRefuse: false)
      try look()
      let open = rules.rows.values.filter { !$0.state.isEnded && $0.state != .waiting }
      if open.isEmpty { return }
      for row in open.sorted(by: { $0.id < $1.id }) {
        if row.state == .queued, isForBots(row) { assign(row, isByHand: false) }
        let lease = TaskLease(task: row.id, attempt: row.attempt, owner: row.owner ?? "")
        if row.state == .assigned { accept(lease) }
        if row.state == .running, Self.bots.contains(row.owner ?? "") {
          complete(lease, .succeeded(.null))
        }
      }
      try rest(mayRefuse: false)
      pass(500)
    }
    let open = rules.rows.values.filter { !$0.state.isEnded && $0.state != .waiting }
    throw BrokenRule("these never end: \(open.map { "\($0.id) \($0.state)" })")
  }
}
