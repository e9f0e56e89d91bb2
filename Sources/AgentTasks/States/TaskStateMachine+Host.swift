internal import AgentStore
internal import AgentSystem

/// The transitions after a crash of the host.
extension TaskStateMachine {
  /// Requeues a task that the host had when it was killed. If the task was running at
  /// `limits.hostEnds` crashes, it becomes dead, because it may be the cause.
  ///
  /// Only the end of an attempt clears the count. How long an attempt ran says nothing: a task may
  /// end its host after any time.
  mutating func recover(ageing: Int64, _ limits: LossLimits) throws(TaskError) {
    let note = "The host ended while the task was running."
    // An assigned task hasn't begun, and a task with a pending cancellation ends. Neither is a
    // suspect.
    guard row.cancelling == nil, row.state == .running, limits.hostEnds < .max else {
      return try requeue(ageing: ageing, maxLost: limits.lost, note: note)
    }
    var changed = row
    changed.hostEnds = row.hostEnds.adding(1)
    replace(changed)
    if changed.hostEnds >= limits.hostEnds {
      return try giveUp(
        "The host ended \(changed.hostEnds) times while the task was running, so it is set aside. "
          + "\"agent task retry \(row.id)\" retries it.")
    }
    try requeue(ageing: ageing, maxLost: limits.lost, note: note)
  }

  /// Delays a suspect by this number of milliseconds, so that suspects begin one at a time. If the
  /// host crashes again, only one of them can be the cause.
  mutating func waitApart(_ milliseconds: Int64) throws(TaskError) {
    guard row.state == .queued || row.state == .scheduled else { return }
    // A later start time of a scheduled task is kept.
    let moment = max(row.state == .scheduled ? row.runAt ?? 0 : 0, now.adding(milliseconds))
    try schedule(
      at: moment, note: "it starts apart from others, because the host ended while they ran")
  }
}

/// The numbers of losses after which a task becomes dead.
struct LossLimits: Sendable {
  /// The number of ends of its host or bot while it ran.
  var lost: Int64
  /// The number of ends of the host while it ran, since an attempt ended by itself.
  var hostEnds: Int64
}
