import AgentJSON
import AgentStore
import AgentSystem
import AgentTasks

/// What the engine does of itself: attempts end, time passes, hosts and bots come and go.
extension TaskRules {
  mutating func checkOwn(_ former: TaskRow, _ row: TaskRow) throws {
    let now = row.updated
    let order = order(former)
    func demand(_ isSo: Bool, _ words: String = "nothing asks for it") throws {
      if !isSo { throw BrokenRule("\(Self.words(former, row)): \(words)") }
    }
    if former.state == row.state, former.state != .scheduled {
      // Progress, or the moment of the next look.
      return try demand(former.attempt == row.attempt && former.owner == row.owner)
    }
    if row.state == .dead, let end = order.end(former), end <= now { return }
    switch former.state {
    case .waiting, .succeeded, .failed, .cancelled, .dead: try demand(false)
    case .scheduled:
      if row.state == .scheduled { return }
      try demand(row.state == .queued && former.runAt.map { $0 <= now } ?? false, "too early")
      try checkPlace(former, row)
    case .queued where row.state == .running: try demand(row.owner == host, "not by this host")
    case .queued:
      // Its time in the queue is over when its moment has come, as long as it has one.
      let isOver = order.queued != nil && former.wake.map { $0 <= now } ?? false
      try demand(row.state == .dead && isOver, "too early")
    case .assigned:
      try demand(former.wake.map { $0 <= now } ?? false, "its bot has time")
      try demand(row.state == .queued)
      try checkPlace(former, row)
    case .running where isInDoubt && !isStopping && isLost(former):
      // It was begun, and nothing was reported.
      try demand(row.state == (former.cancelling == nil ? .queued : .cancelled))
      if row.state == .queued { try checkPlace(former, row) }
    case .running where former.owner == host && !isStopping:
      try demand(endsRight(former, row), "given was \(given(former).map { "\($0)" } ?? "nothing")")
    case .running where former.owner?.hasPrefix("host:") == true:
      if isStopping, endsRight(former, row) { return }
      try checkRequeued(former, row)
    case .running:
      try demand(former.wake.map { $0 <= now } ?? false, "its bot was heard of")
      if let end = order.stop(former), end <= now {
        try demand(matches(former, row: row, outcome: .failed(error: "")), "it took too long")
      } else {
        try checkRequeued(former, row)
      }
    }
  }

  /// The host has a lease, and doesn't know of it.
  private func isLost(_ row: TaskRow) -> Bool {
    let attempt = ScriptedExecutor.Attempt(task: row.id, number: row.attempt)
    return row.owner == host && !controlled.attempts.contains(attempt) && given(row) == nil
  }

  private func given(_ row: TaskRow) -> TaskOutcome? {
    controlled.outcome(of: ScriptedExecutor.Attempt(task: row.id, number: row.attempt))
  }

  /// An attempt of the host has ended as its executor said, or its time was over.
  private func endsRight(_ former: TaskRow, _ row: TaskRow) -> Bool {
    if let given = given(former) {
      let isStopped = given == .cancelled()
      if matches(former, row: row, outcome: given),
        !isStopped || former.cancelling != nil || isStopping
      {
        return true
      }
    }
    let order = order(former)
    let ends = [order.stop(former), order.end(former)]
    return ends.contains { $0.map { $0 <= row.updated } ?? false }
      && matches(former, row: row, outcome: .failed(error: ""))
  }

  /// The holder is gone: the task is queued again, or given up when that has happened too often.
  mutating func checkRequeued(_ former: TaskRow, _ row: TaskRow) throws {
    if former.cancelling != nil, row.state == .cancelled { return }
    // What the end of the host interrupts, and what nobody had begun, isn't lost.
    if former.state == .running, !(isStopping && former.owner == host) {
      lost[row.id, default: 0] += 1
    }
    let isOften = lost[row.id, default: 0] >= Self.maxLost
    guard row.state == (isOften && former.state == .running ? .dead : .queued) else {
      throw BrokenRule(
        "\(Self.words(former, row)): its owner has gone, time \(lost[row.id, default: 0])")
    }
    if row.state == .queued { try checkPlace(former, row) }
  }

  /// Whether a task has become what follows from how its attempt ended.
  func matches(_ former: TaskRow, row: TaskRow, outcome: TaskOutcome) -> Bool {
    let (now, order) = (row.updated, order(former))
    switch outcome {
    case .succeeded: return row.state == .succeeded && row.failures == former.failures
    case .cancelled: return row.state == .cancelled
    case .snoozed(let milliseconds, _):
      if former.cancelling != nil { return row.state == .cancelled }
      return row.state == .scheduled && row.runAt == now.adding(max(0, milliseconds))
        && row.failures == former.failures
    case .failed(_, _, let isFinal):
      guard row.failures == former.failures + 1 else { return false }
      if former.cancelling != nil { return row.state == .cancelled }
      if isFinal || order.attempts <= 1 { return row.state == .failed }
      if row.failures >= order.attempts { return row.state == .dead }
      let next = now + order.wait(after: row.failures, randomFraction: randomFraction)
      if let end = order.end(former), next >= end { return row.state == .dead }
      return row.state == .scheduled && row.runAt == next
    }
  }

  /// Its place in the queue: a task that has waited already keeps it.
  func checkPlace(_ former: TaskRow, _ row: TaskRow) throws {
    let fresh = row.updated - row.priority * Self.ageing
    let isRight =
      former.state.isHeld ? row.rank == min(fresh, former.rank) : row.rank == fresh
    if !isRight { throw BrokenRule("task \(row.id) has the place \(row.rank - fresh) of its lane") }
  }
}
