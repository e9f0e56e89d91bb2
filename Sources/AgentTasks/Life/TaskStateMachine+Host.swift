internal import AgentStore
internal import AgentSystem

/// What the end of the host means for a task.
extension TaskStateMachine {
  /// The host has ended while it had the task. One during whose beginning that has happened too often
  /// is put aside, since it may be the reason: somebody has to look at it.
  mutating func recover(ageing: Int64, _ limits: LossLimits) throws(TaskError) {
    let note = "The host ended while the task was running."
    guard row.cancelling == nil, row.state == .running, limits.hostEnds < .max else {
      return try rescue(ageing: ageing, mostLost: limits.lost, note: note)
    }
    var changed = row
    changed.hostEnds = row.hostEnds.adding(1)
    replace(changed)
    if changed.hostEnds >= limits.hostEnds {
      return try giveUp(
        "The host ended \(changed.hostEnds) times while the task was starting, so it is set aside. "
          + "\"agent task retry \(row.id)\" retries it.")
    }
    try rescue(ageing: ageing, mostLost: limits.lost, note: note)
  }

  /// Others during whose beginning the host has ended have their turn before it: so that only one of
  /// them can be the reason when that happens again.
  mutating func waitApart(_ milliseconds: Int64) throws(TaskError) {
    guard row.state == .queued || row.state == .scheduled else { return }
    let moment = max(row.state == .scheduled ? row.runAt ?? 0 : 0, now.adding(milliseconds))
    try schedule(
      at: moment, note: "it starts apart from others, because the host ended while they started")
  }

  /// It goes on, and so does the host: the one isn't the other's end.
  mutating func passTrial(_ lease: TaskLease) throws(TaskError) {
    try check(lease)
    var changed = row
    changed.hostEnds = 0
    replace(changed)
  }
}

/// How often whoever has a task may go without having ended it.
struct LossLimits: Sendable {
  /// Hosts and bots, at whatever.
  var lost: Int64
  /// Hosts, while it was being begun.
  var hostEnds: Int64
}
