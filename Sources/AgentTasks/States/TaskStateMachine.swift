internal import AgentJSON
package import AgentStore
internal import AgentSystem

/// The state machine of a task. Each method is a transition. It changes the row, or throws
/// `conflict` if the state doesn't allow it. It reads no clock, draws no random number and stores
/// nothing.
package struct TaskStateMachine {
  package internal(set) var row: TaskRow
  let now: Int64
  /// The actor in the history; `nil` for the owner of the task.
  var actor: String?

  private let known: TaskDefinition?

  /// - Parameter definition: the definition of the row if the caller has decoded it; `nil` to
  ///   decode it.
  package init(
    _ row: TaskRow, now: Int64, by actor: String? = nil, definition: TaskDefinition? = nil
  ) {
    self.row = row
    self.now = now
    self.actor = actor
    known = definition
    // The store refuses a change if the row has another version.
    if row.id > 0 { self.row.version = row.version.adding(1) }
  }

  mutating func replace(_ row: TaskRow) { self.row = row }

  var definition: TaskDefinition { known ?? TaskDefinition(stored: row.definition) }

  // MARK: Queueing

  /// Queues the task, or schedules it for a later time. The counts of failures and losses restart.
  package mutating func ask(at moment: Int64?, ageing: Int64) throws(TaskError) {
    if row.state.isEnded { row.removeOutcome() }
    row.asked = now
    // A new request begins with all its attempts. Former failures don't count.
    row.failures = 0
    row.lost = 0
    row.hostEnds = 0
    row.cancelling = nil
    if let moment, moment > now {
      try schedule(at: moment, note: nil)
    } else {
      try queue(ageing: ageing, note: nil)
    }
  }

  /// Queues the task and sets the time-outs of the queue.
  mutating func queue(ageing: Int64, note: String?) throws(TaskError) {
    let definition = definition
    row.removeHolder()
    // A former attempt may have stored its bot here.
    row.bot = definition.bot
    row.rank = Self.rank(queued: now, priority: row.priority, ageing: ageing)
    // A former version may have named the queue, or the definition may have changed.
    row.queueKey = QueueKey(type: row.type, definition).name
    try move(to: .queued, note: note)
    // After the transition, because the first step of an escalation depends on the new state.
    wake(definition.timeouts.queued.map { now.adding($0) }, total(definition))
    row.escalateAt = firstEscalation(definition)
  }

  /// Schedules the task for a time in Unix milliseconds.
  mutating func schedule(at moment: Int64, note: String?) throws(TaskError) {
    row.removeHolder()
    row.runAt = moment
    try move(to: .scheduled, note: note)
    wake(moment, total(definition))
    row.escalateAt = firstEscalation(definition)
  }

  /// Returns the rank. The task with the least rank begins first. A point of priority equals
  /// `ageing` milliseconds of waiting. Waiting counts equally for all tasks, so a stored rank stays
  /// correct while its task waits.
  static func rank(queued: Int64, priority: Int64, ageing: Int64) -> Int64 {
    queued.subtracting(priority.multiplied(ageing))
  }

  // MARK: Running

  /// Begins an attempt of the host.
  mutating func begin(owner: String) throws(TaskError) {
    row.attempt = row.attempt.adding(1)
    row.owner = owner
    row.started = now
    row.progress = nil
    row.runAt = nil
    try move(to: .running, note: nil)
    // The engine enforces the time-outs of its own attempts (`limited(to:)`).
    row.wake = nil
  }

  /// Assigns the task to a bot, which must accept it by a time in Unix milliseconds.
  mutating func assign(to bot: String, until moment: Int64, note: String) throws(TaskError) {
    row.attempt = row.attempt.adding(1)
    row.owner = bot
    row.bot = bot
    row.progress = nil
    try move(to: .assigned, note: note)
    wake(moment, total(definition))
  }

  /// Queues a task for assignment by hand. A bot that hasn't begun it loses it.
  /// - Throws: `conflict` if it runs or has ended.
  mutating func free(ageing: Int64) throws(TaskError) {
    switch row.state {
    case .queued: return
    case .waiting, .scheduled: try ask(at: nil, ageing: ageing)
    case .assigned: try requeue(ageing: ageing, maxLost: .max, note: "requeued by hand")
    case .running, .succeeded, .failed, .cancelled, .dead:
      throw TaskError(
        .conflict,
        "Task \(row.id) is \(row.state.rawValue): only a waiting task can be assigned to a bot.")
    }
  }

  /// Restricts the task to this bot or this type of bot.
  mutating func direct(
    to bot: String?, botType: String?, ageing: Int64, note: String
  ) throws(TaskError) {
    try free(ageing: ageing)
    var definition = definition
    definition.bot = bot ?? definition.bot
    // A bot that the definition names would remain the only one that may take the task.
    if let botType { (definition.bot, definition.botType) = (nil, botType) }
    row.definition = definition.stored
    row.bot = definition.bot
    row.queueKey = QueueKey(type: row.type, definition).name
    record(note)
  }

  /// Records that the bot has begun. `silence` is the longest time until its next heartbeat, in
  /// milliseconds; `nil` for a local bot, whose time-outs the host enforces.
  mutating func accept(_ lease: TaskLease, silence: Int64?) throws(TaskError) {
    try check(lease)
    row.started = now
    try move(to: .running, note: nil)
    if let silence { wakeWhileRunning(silence) } else { wake(total(definition)) }
  }

  /// Records that the bot rejects the task, and requeues the task.
  mutating func reject(_ lease: TaskLease, ageing: Int64, reason: String) throws(TaskError) {
    try check(lease)
    let rank = row.rank
    // If it were requeued, it would begin again although it was cancelled.
    if row.cancelling != nil { return try stop("rejected: \(reason)") }
    try queue(ageing: ageing, note: "rejected: \(reason)")
    // It keeps its rank, because it has waited already.
    row.rank = min(rank, row.rank)
  }

  /// Records a heartbeat of the bot, with its progress if there is one.
  /// - Parameter silence: the milliseconds until the next heartbeat; `nil` if none is expected.
  mutating func heartbeat(
    _ lease: TaskLease, progress: JSONValue?, silence: Int64?
  ) throws(TaskError) {
    try check(lease)
    let bytes = progress?.bytes()
    if let bytes, bytes.count > TaskBounds.progressBytes {
      throw TaskError(
        .invalid,
        "progress has \(bytes.count) bytes, and may have \(TaskBounds.progressBytes). Write an "
          + "artifact, or lines of the log.")
    }
    row.updated = now
    row.progress = bytes ?? row.progress
    if row.state == .running, let silence { wakeWhileRunning(silence) }
  }

  // MARK: Cancellation

  /// Cancels the task. Returns true if it has ended, and false if its runner was asked to stop.
  package mutating func cancel(isForced: Bool, note: String?) throws(TaskError) -> Bool {
    // Only the runner can stop its work. With `isForced`, the lease ends and a later result is
    // refused.
    if row.state == .running, !isForced {
      row.cancelling = row.cancelling ?? now
      record(note.map { "cancellation requested: \($0)" } ?? "cancellation requested")
      return false
    }
    finish(.null, error: "It was cancelled.")
    try move(to: .cancelled, note: note)
    return true
  }

  // MARK: Due times

  /// Handles the due start of a scheduled task, or a time-out.
  mutating func handleDeadlines(
    ageing: Int64, maxLost: Int64, randomFraction: Double
  ) throws(TaskError) {
    let definition = definition
    // First, because nothing below may queue or retry a task after its total time-out.
    if let end = total(definition), end <= now, !row.state.isEnded, row.state != .waiting {
      return try giveUp("It did not end within its total time-out.")
    }
    switch row.state {
    case .scheduled:
      guard let moment = row.runAt, moment <= now else { return wakeAgain(definition) }
      row.runAt = nil
      try queue(ageing: ageing, note: nil)
    case .queued:
      // The total time-out isn't over, so only the time-out of the queue can be due.
      guard definition.timeouts.queued != nil, let wake = row.wake, wake <= now else {
        return wakeAgain(definition)
      }
      try giveUp("Nobody took it within its time in the queue.")
    case .assigned:
      let note = "It was not started in time by \(row.owner ?? "its bot")."
      try requeue(ageing: ageing, maxLost: .max, note: note)
    case .running:
      if let limit = definition.timeouts.run, let started = row.started,
        started.adding(limit) <= now
      {
        return try fail(
          "It took longer than \(limit) ms.", output: .null, isFinal: false,
          randomFraction: randomFraction)
      }
      // A bot without heartbeats counts as lost. The task is requeued without a failure.
      let note = "There was no heartbeat of \(row.owner ?? "its bot") in time."
      try requeue(ageing: ageing, maxLost: maxLost, note: note)
    case .waiting, .succeeded, .failed, .cancelled, .dead:
      row.wake = nil
    }
  }

  /// Requeues a task whose host was killed or whose bot was lost. If the task was lost `maxLost`
  /// times while it ran, it becomes dead, because it may be the cause.
  mutating func requeue(ageing: Int64, maxLost: Int64, note: String) throws(TaskError) {
    // If it were requeued, it would begin again although it was cancelled.
    if row.cancelling != nil { return try stop(note) }
    // A task that hasn't begun can't be the cause, so that isn't counted.
    if row.state == .running, maxLost < .max {
      row.lost = row.lost.adding(1)
      if row.lost >= maxLost { return try giveUp("\(note) This was loss number \(row.lost).") }
    }
    let rank = row.rank
    try queue(ageing: ageing, note: note)
    row.rank = min(rank, row.rank)
  }

  /// Requeues a task that the holder of the lease can't do. The task isn't blamed.
  mutating func requeue(
    _ lease: TaskLease, ageing: Int64, maxLost: Int64, note: String
  ) throws(TaskError) {
    try check(lease)
    try requeue(ageing: ageing, maxLost: maxLost, note: note)
  }

  /// Ends a task with a pending cancellation that is no longer running.
  mutating func stop(_ note: String) throws(TaskError) {
    finish(.null, error: note.isEmpty ? "It was cancelled." : note)
    try move(to: .cancelled, note: note)
  }

  /// Ends the task as dead, with a reason for people.
  mutating func giveUp(_ reason: String) throws(TaskError) {
    finish(.null, error: reason)
    try move(to: .dead, note: reason)
  }

  // MARK: Shared steps

  /// Throws `staleLease` unless the lease is the current one.
  func check(_ lease: TaskLease) throws(TaskError) {
    guard row.state.isHeld, row.attempt == lease.attempt, row.owner == lease.owner else {
      throw lease.stale
    }
  }

  /// Changes the state and adds a line to the history. Throws `conflict` if the state doesn't allow
  /// it.
  mutating func move(to state: TaskState, note: String?) throws(TaskError) {
    guard row.state.successors.contains(state) else {
      throw TaskError(
        .conflict, "Task \(row.id) is \(row.state.rawValue); it can't become \(state.rawValue).")
    }
    row.state = state
    if state.isEnded { row.end(at: now) }
    record(note)
  }

  private mutating func record(_ note: String?) {
    row.updated = now
    TaskHistory.append(
      &row.history, at: now, state: row.state, attempt: row.attempt, by: actor ?? row.owner,
      note: note)
  }

  /// Returns the end of the total time-out in Unix milliseconds, or `nil` if there is none.
  func total(_ definition: TaskDefinition) -> Int64? {
    guard let limit = definition.timeouts.total, let asked = row.asked else { return nil }
    return asked.adding(limit)
  }

  /// Sets the deadline of the state to the earliest of these times.
  private mutating func wake(_ moments: Int64?...) { row.wake = moments.compactMap(\.self).min() }

  /// Sets the deadline again after a timer that fired too early.
  private mutating func wakeAgain(_ definition: TaskDefinition) {
    wake(row.runAt, definition.timeouts.queued.map { now.adding($0) }, total(definition))
  }

  private mutating func wakeWhileRunning(_ silence: Int64) {
    let definition = definition
    wake(
      now.adding(definition.timeouts.heartbeat ?? silence),
      definition.timeouts.run.flatMap { limit in row.started.map { $0.adding(limit) } },
      total(definition))
  }
}
