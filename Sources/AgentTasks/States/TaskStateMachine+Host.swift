internal import AgentStore
internal import AgentSystem

/// Transitions that follow from an end of the host.
extension TaskStateMachine {
  /// Requeues a task that the host had when it was killed. A task that was starting when the host
  /// ended `limits.hostEnds` times becomes dead instead, since it may be the cause.
  mutating func recover(ageing: Int64, _ limits: LossLimits) throws(TaskError) {
    let note = "The host ended while the task was running."
    // An assigned task hasn't begun, and one that is being cancelled ends: neither is a suspect.
    guard row.cancelling == nil, row.state == .running, limits.hostEnds < .max else {
      return try requeue(ageing: ageing, maxLost: limits.lost, note: note)
    }
    var changed = row
    changed.hostEnds = row.hostEnds.adding(1)
    replace(changed)
    if changed.hostEnds >= limits.hostEnds {
      return try giveUp(
        "The host ended \(changed.hostEnds) times while the task was starting, so it is set aside. "
          + "\"agent task retry \(row.id)\" retries it.")
    }
    try requeue(ageing: ageing, maxLost: limits.lost, note: note)
  }

  /// Delays a suspect by this much after the start, so that one suspect begins at a time: if the
  /// host ends again, only one can be the cause.
  mutating func waitApart(_ milliseconds: Int64) throws(TaskError) {
    guard row.state == .queued || row.state == .scheduled else { return }
    // A time that was set for it isn't brought forward.
    let moment = max(row.state == .scheduled ? row.runAt ?? 0 : 0, now.adding(milliseconds))
    try schedule(
      at: moment, note: "it starts apart from others, because the host ended while they started")
  }

  /// Clears the suspicion: the attempt has run for a second and the host still runs.
  mutating func passTrial(_ lease: TaskLease) throws(TaskError) {
    try check(lease)
    var changed = row
    changed.hostEnds = 0
    replace(changed)
  }
}

/// After how many losses a task becomes dead.
struct LossLimits: Sendable {
  /// Ends of its host or its bot while it ran.
  var lost: Int64
  /// Ends of the host while it was starting.
  var hostEnds: Int64
}
