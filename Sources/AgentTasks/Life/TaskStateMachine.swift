internal import AgentJSON
package import AgentStore
internal import AgentSystem

/// A task on its way: each method is a transition. It changes the row, or throws when the task isn't
/// in a state from which that is possible. Nothing here reads a clock, throws dice or stores.
package struct TaskStateMachine {
  package private(set) var row: TaskRow
  let now: Int64
  /// Who is the cause, as the history is to say it.
  var actor: String?

  private let known: TaskDefinition?

  /// - Parameter definition: that of the row, where it needn't be read.
  package init(
    _ row: TaskRow, now: Int64, by actor: String? = nil, definition: TaskDefinition? = nil
  ) {
    (self.row, self.now, self.actor, known) = (row, now, actor, definition)
    if row.id > 0 { self.row.version = row.version.adding(1) }
  }

  /// With what an edit has made of it.
  mutating func replace(_ row: TaskRow) { self.row = row }

  var definition: TaskDefinition { known ?? TaskDefinition(stored: row.definition) }

  // MARK: Waiting for its turn

  /// Somebody wants it done: now, or at a moment.
  package mutating func ask(at moment: Int64?, ageing: Int64) throws(TaskError) {
    if row.state.isEnded { clear() }
    row.asked = now
    (row.failures, row.lost, row.hostEnds, row.cancelling) = (0, 0, 0, nil)
    if let moment, moment > now {
      try schedule(at: moment, note: nil)
    } else {
      try queue(ageing: ageing, note: nil)
    }
  }

  /// Its turn may come from now on.
  mutating func queue(ageing: Int64, note: String?) throws(TaskError) {
    let definition = definition
    (row.owner, row.cancelling, row.finished) = (nil, nil, nil)
    row.bot = definition.bot
    row.rank = Self.rank(now, row.priority, ageing)
    // One that a former version has named, or that was changed since, is in the right one now.
    row.lane = QueueKey(type: row.type, definition).name
    try move(to: .queued, note: note)
    wake(definition.timeouts.queued.map { now.adding($0) }, total(definition))
    row.escalateAt = firstEscalation(definition)
  }

  /// Its turn comes at a moment.
  mutating func schedule(at moment: Int64, note: String?) throws(TaskError) {
    (row.owner, row.cancelling, row.finished) = (nil, nil, nil)
    row.runAt = moment
    try move(to: .scheduled, note: note)
    wake(moment, total(definition))
    row.escalateAt = firstEscalation(definition)
  }

  /// The order in a lane: who waits longer goes first, and each point of priority counts as if it
  /// had waited so many milliseconds longer. It never has to be changed while it waits.
  static func rank(_ queued: Int64, _ priority: Int64, _ ageing: Int64) -> Int64 {
    queued.subtracting(priority.multiplied(ageing))
  }

  // MARK: Being done

  /// The host does it.
  mutating func begin(owner: String) throws(TaskError) {
    row.attempt = row.attempt.adding(1)
    (row.owner, row.started, row.progress, row.runAt) = (owner, now, nil, nil)
    try move(to: .running, note: nil)
    row.wake = nil
  }

  /// A bot gets it, and has to begin by a moment.
  mutating func assign(to bot: String, until moment: Int64, note: String) throws(TaskError) {
    row.attempt = row.attempt.adding(1)
    (row.owner, row.bot, row.progress) = (bot, bot, nil)
    try move(to: .assigned, note: note)
    wake(moment, total(definition))
  }

  /// Somebody wants it to be free for a bot at once: what waits is queued, what a bot has and hasn't
  /// begun is taken from it.
  mutating func free(ageing: Int64) throws(TaskError) {
    switch row.state {
    case .queued: return
    case .waiting, .scheduled: try ask(at: nil, ageing: ageing)
    case .assigned: try rescue(ageing: ageing, mostLost: .max, note: "requeued by hand")
    case .running, .succeeded, .failed, .cancelled, .dead:
      throw TaskError(
        .conflict,
        "Task \(row.id) is \(row.state.rawValue): only a waiting task can be assigned to a bot.")
    }
  }

  /// It is for this bot, or this type of bot, from now on.
  mutating func direct(
    to bot: String?, botType: String?, ageing: Int64, note: String
  ) throws(TaskError) {
    try free(ageing: ageing)
    var definition = definition
    definition.bot = bot ?? definition.bot
    if let botType { (definition.bot, definition.botType) = (nil, botType) }
    row.definition = definition.stored
    row.bot = definition.bot
    row.lane = QueueKey(type: row.type, definition).name
    record(note)
  }

  /// The bot has begun, and has to give a sign of life every so many milliseconds.
  /// - Parameter silence: nil where who does it looks after its time-outs, too.
  mutating func accept(_ lease: TaskLease, silence: Int64?) throws(TaskError) {
    try check(lease)
    row.started = now
    try move(to: .running, note: nil)
    if let silence { wakeWhileRunning(silence) } else { wake(total(definition)) }
  }

  /// The bot doesn't want it.
  mutating func reject(_ lease: TaskLease, ageing: Int64, reason: String) throws(TaskError) {
    try check(lease)
    let rank = row.rank
    if row.cancelling != nil { return try stop("rejected: \(reason)") }
    try queue(ageing: ageing, note: "rejected: \(reason)")
    // It has waited already.
    row.rank = min(rank, row.rank)
  }

  /// Who does it is alive; maybe it says how far it has come.
  /// - Parameter silence: the milliseconds until its next sign of life; nil where none is awaited.
  mutating func heartbeat(
    _ lease: TaskLease, progress: JSONValue?, silence: Int64?
  ) throws(TaskError) {
    try check(lease)
    row.updated = now
    if let progress { row.progress = progress.bytes() }
    if row.state == .running, let silence { wakeWhileRunning(silence) }
  }

  /// The attempt has ended.
  mutating func end(
    _ lease: TaskLease, _ outcome: TaskOutcome, chance: Double, ageing: Int64
  ) throws(TaskError) {
    try check(lease)
    // The host has seen the end of it.
    row.hostEnds = 0
    switch outcome {
    case .succeeded(let output):
      finish(output, error: nil)
      try move(to: .succeeded, note: nil)
    case .cancelled(let output):
      finish(output, error: "It was cancelled.")
      try move(to: .cancelled, note: nil)
    case .snoozed(_, let note) where row.cancelling != nil: try stop(note)
    case .snoozed(let milliseconds, let note):
      try schedule(at: now.adding(max(0, milliseconds)), note: note.isEmpty ? "snoozed" : note)
    case .failed(let error, let output, let isFinal):
      try fail(error, output, isFinal, chance)
    }
  }

  private mutating func fail(
    _ error: String, _ output: JSONValue, _ isFinal: Bool, _ chance: Double
  ) throws(TaskError) {
    row.failures = row.failures.adding(1)
    finish(output, error: error)
    if row.cancelling != nil { return try move(to: .cancelled, note: error) }
    let retry = definition.retry
    if isFinal || retry.attempts <= 1 { return try move(to: .failed, note: error) }
    guard let wait = retry.wait(after: row.failures, chance: chance) else {
      return try move(to: .dead, note: error)
    }
    let moment = now.adding(wait)
    if let end = total(definition), moment >= end {
      return try move(to: .dead, note: "\(error) No attempt is left before the total time-out.")
    }
    try schedule(at: moment, note: error)
  }

  // MARK: People

  /// Somebody doesn't want it any more.
  /// - Returns: whether it ended; otherwise who does it is to stop.
  package mutating func cancel(isForced: Bool, note: String?) throws(TaskError) -> Bool {
    if row.state == .running, !isForced {
      row.cancelling = row.cancelling ?? now
      record(note.map { "cancellation requested: \($0)" } ?? "cancellation requested")
      return false
    }
    finish(.null, error: "It was cancelled.")
    try move(to: .cancelled, note: note)
    return true
  }

  // MARK: Time

  /// Its moment has come: what had to happen by then, or has to happen now.
  mutating func lookAfter(
    ageing: Int64, mostLost: Int64, chance: Double
  ) throws(TaskError) {
    let definition = definition
    if let end = total(definition), end <= now, !row.state.isEnded, row.state != .waiting {
      return try giveUp("It did not end within its total time-out.")
    }
    switch row.state {
    case .scheduled:
      guard let moment = row.runAt, moment <= now else { return wakeAgain(definition) }
      row.runAt = nil
      try queue(ageing: ageing, note: nil)
    case .queued:
      // Its total time-out isn't over: what is, is its time in the queue.
      guard definition.timeouts.queued != nil, let wake = row.wake, wake <= now else {
        return wakeAgain(definition)
      }
      try giveUp("Nobody took it within its time in the queue.")
    case .assigned:
      let note = "It was not started in time by \(row.owner ?? "its bot")."
      try rescue(ageing: ageing, mostLost: .max, note: note)
    case .running:
      if let limit = definition.timeouts.run, let started = row.started,
        started.adding(limit) <= now
      {
        return try fail("It took longer than \(limit) ms.", .null, false, chance)
      }
      // Who doesn't give a sign of life has gone, as far as anybody knows: that is no failure of the
      // task's, whichever of its bot's timers is the shorter one.
      let note = "There was no heartbeat of \(row.owner ?? "its bot") in time."
      try rescue(ageing: ageing, mostLost: mostLost, note: note)
    case .waiting, .succeeded, .failed, .cancelled, .dead:
      row.wake = nil
    }
  }

  /// Who had it isn't there any more: the host was killed, or a bot has gone. The task is queued
  /// again; one that was in the hands of who died too often is given up, since it may be the reason.
  mutating func rescue(ageing: Int64, mostLost: Int64, note: String) throws(TaskError) {
    if row.cancelling != nil { return try stop(note) }
    if row.state == .running, mostLost < .max {
      row.lost = row.lost.adding(1)
      if row.lost >= mostLost { return try giveUp("\(note) This was loss number \(row.lost).") }
    }
    let rank = row.rank
    try queue(ageing: ageing, note: note)
    row.rank = min(rank, row.rank)
  }

  /// Who has it can't do it, through no fault of the task's.
  mutating func giveBack(
    _ lease: TaskLease, ageing: Int64, mostLost: Int64, note: String
  ) throws(TaskError) {
    try check(lease)
    try rescue(ageing: ageing, mostLost: mostLost, note: note)
  }

  /// Somebody has asked for its end, and nobody does it any more.
  mutating func stop(_ note: String) throws(TaskError) {
    finish(.null, error: note.isEmpty ? "It was cancelled." : note)
    try move(to: .cancelled, note: note)
  }

  mutating func giveUp(_ reason: String) throws(TaskError) {
    finish(.null, error: reason)
    try move(to: .dead, note: reason)
  }

  // MARK: What transitions have in common

  func check(_ lease: TaskLease) throws(TaskError) {
    guard row.state.isHeld, row.attempt == lease.attempt, row.owner == lease.owner else {
      throw lease.stale
    }
  }

  private mutating func move(to state: TaskState, note: String?) throws(TaskError) {
    guard row.state.successors.contains(state) else {
      throw TaskError(
        .conflict, "Task \(row.id) is \(row.state.rawValue); it can't become \(state.rawValue).")
    }
    row.state = state
    if state.isEnded {
      (row.finished, row.owner, row.wake, row.runAt, row.cancelling) = (now, nil, nil, nil, nil)
      row.escalateAt = nil
    }
    record(note)
  }

  private mutating func record(_ note: String?) {
    row.updated = now
    TaskHistory.append(
      &row.history, at: now, state: row.state, attempt: row.attempt, by: actor ?? row.owner,
      note: note)
  }

  /// `{output, status, error, execution_time, timestamp}`; the status is put in when it is read.
  private mutating func finish(_ output: JSONValue, error: String?) {
    let seconds =
      row.state == .running ? row.started.map { Double(now.subtracting($0)) / 1000 } : nil
    var result = JSONWriter()
    result.beginObject()
    result.key("output")
    result.value(output)
    result.key("error")
    if let error { result.string(error) } else { result.null() }
    result.key("execution_time")
    result.number(seconds ?? 0)
    result.key("timestamp")
    result.number(now)
    result.endObject()
    row.result = result.bytes
  }

  private mutating func clear() {
    (row.started, row.finished, row.result, row.progress) = (nil, nil, nil, nil)
  }

  private func total(_ definition: TaskDefinition) -> Int64? {
    guard let limit = definition.timeouts.total, let asked = row.asked else { return nil }
    return asked.adding(limit)
  }

  private mutating func wake(_ moments: Int64?...) { row.wake = moments.compactMap(\.self).min() }

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
