/// Something that is to be done, and what has become of it.
public struct TaskRow: Sendable, Hashable {
  /// How far it has come. Which follows which is written in AgentTasks.
  public enum State: String, Sendable, CaseIterable {
    /// It is there, and nobody has asked for it to be done yet.
    case waiting
    /// It is to be queued at a moment: when it was asked for, or to be tried again.
    case scheduled
    /// It may be done now.
    case queued
    /// A bot was chosen, which hasn't begun yet.
    case assigned
    /// It is being done.
    case running
    /// It was done.
    case succeeded
    /// It can't be done.
    case failed
    /// Somebody didn't want it any more.
    case cancelled
    /// It was tried as often as it may be.
    case dead
  }

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  /// How often it has been changed: a change is made only to the version that it was thought for.
  public var version: Int64
  /// What people call it.
  public var name: String
  /// What is done: the name of a task type.
  public var type: String
  /// How far it has come.
  public var state: State
  /// How urgent it is, from 0 to 1000.
  public var priority: Int64
  /// With which others it competes for the same executor.
  public var lane: String
  /// Its place in the lane: the least goes first.
  public var rank: Int64
  /// When it was created, in Unix milliseconds.
  public var created: Int64
  /// When it last changed, in Unix milliseconds.
  public var updated: Int64
  /// When somebody last asked for it to be done, in Unix milliseconds.
  public var asked: Int64?
  /// When somebody asked for its present attempt to be given up, in Unix milliseconds.
  public var cancelling: Int64?
  /// When it is or was to be queued, in Unix milliseconds.
  public var runAt: Int64?
  /// When it should be done, in Unix milliseconds.
  public var due: Int64?
  /// When somebody has to look after it in its present state, in Unix milliseconds.
  public var wake: Int64?
  /// The number of its latest lease: one more each time that it is taken.
  public var attempt: Int64
  /// Attempts that have failed since it was last queued by somebody.
  public var failures: Int64
  /// Attempts that nobody saw the end of, since it was last queued by somebody.
  public var lost: Int64
  /// How often the host ended while it was being begun, since somebody last asked for it or it was
  /// seen to go on.
  public var hostEnds: Int64
  /// When the next step of its escalation may be due, in Unix milliseconds.
  public var escalateAt: Int64?
  /// Who holds the lease.
  public var owner: String?
  /// The bot that it was given to.
  public var bot: String?
  /// When its latest attempt began, in Unix milliseconds.
  public var started: Int64?
  /// When it ended, in Unix milliseconds.
  public var finished: Int64?
  /// Nobody may create another with the same key while this one has it.
  public var uniqueKey: String?
  /// The task that it belongs to.
  public var parent: Int64?
  /// The batch that it belongs to.
  public var batch: Int64?
  /// The schedule that has made it.
  public var schedule: Int64?
  /// What is to be done, and how: JSON.
  public var definition: [UInt8]
  /// How far the latest attempt has come, in its own words: JSON.
  public var progress: [UInt8]?
  /// What came of it: JSON.
  public var result: [UInt8]?
  /// Its changes, a JSON object a line, the oldest first.
  public var history: [UInt8]

  /// Makes a row.
  public init(
    id: Int64 = 0, version: Int64 = 0, name: String, type: String, state: State, priority: Int64,
    lane: String,
    rank: Int64 = 0, created: Int64, updated: Int64, asked: Int64? = nil, cancelling: Int64? = nil,
    runAt: Int64? = nil, due: Int64? = nil,
    wake: Int64? = nil, attempt: Int64 = 0, failures: Int64 = 0, owner: String? = nil,
    bot: String? = nil, started: Int64? = nil, finished: Int64? = nil, uniqueKey: String? = nil,
    parent: Int64? = nil, batch: Int64? = nil, schedule: Int64? = nil, definition: [UInt8],
    progress: [UInt8]? = nil, result: [UInt8]? = nil, history: [UInt8] = [], lost: Int64 = 0,
    hostEnds: Int64 = 0, escalateAt: Int64? = nil
  ) {
    self.id = id
    self.version = version
    self.name = name
    self.type = type
    self.state = state
    self.priority = priority
    self.lane = lane
    self.rank = rank
    self.created = created
    self.updated = updated
    self.asked = asked
    self.cancelling = cancelling
    self.runAt = runAt
    self.due = due
    self.wake = wake
    self.attempt = attempt
    self.failures = failures
    self.lost = lost
    self.hostEnds = hostEnds
    self.escalateAt = escalateAt
    self.owner = owner
    self.bot = bot
    self.started = started
    self.finished = finished
    self.uniqueKey = uniqueKey
    self.parent = parent
    self.batch = batch
    self.schedule = schedule
    self.definition = definition
    self.progress = progress
    self.result = result
    self.history = history
  }
}
