/// A schedule, and how far it has come.
public struct ScheduleRow: Sendable, Hashable {
  /// Whether it fires.
  public enum State: String, Sendable, CaseIterable {
    /// It fires when its times come.
    case active
    /// Somebody wants it to rest.
    case paused
  }

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  /// What people call it; no other has the same.
  public var name: String
  /// Whether it fires.
  public var state: State
  /// Who it comes from, where that isn't a request: `settings`.
  public var source: String?
  /// When it fires and what it makes: JSON.
  public var definition: [UInt8]
  /// The latest fire time that is decided about, in Unix milliseconds.
  public var handled: Int64
  /// The next fire time, in Unix milliseconds; nil when there is none.
  public var next: Int64?
  /// When somebody has to look after it, in Unix milliseconds.
  public var wake: Int64?
  /// When it was created, in Unix milliseconds.
  public var created: Int64
  /// When somebody last changed it, in Unix milliseconds.
  public var updated: Int64
  /// One more with each change that somebody makes.
  public var version: Int64

  /// Makes a row.
  public init(
    id: Int64 = 0, name: String, state: State = .active, source: String? = nil,
    definition: [UInt8], handled: Int64, next: Int64? = nil, wake: Int64? = nil, created: Int64,
    updated: Int64, version: Int64 = 1
  ) {
    self.id = id
    self.name = name
    self.state = state
    self.source = source
    self.definition = definition
    self.handled = handled
    self.next = next
    self.wake = wake
    self.created = created
    self.updated = updated
    self.version = version
  }
}

/// What became of one fire time of a schedule. There is one at most for each.
public struct ScheduleFire: Sendable, Hashable {
  /// The schedule.
  public let schedule: Int64
  /// The fire time, in Unix milliseconds.
  public let time: Int64
  /// When it was decided, in Unix milliseconds.
  public let decided: Int64
  /// What was decided: a word of AgentTasks'.
  public let outcome: String
  /// The task that was made.
  public let task: Int64?
  /// Why, for people.
  public let note: String?

  /// Makes a record.
  public init(
    schedule: Int64, time: Int64, decided: Int64, outcome: String, task: Int64? = nil,
    note: String? = nil
  ) {
    self.schedule = schedule
    self.time = time
    self.decided = decided
    self.outcome = outcome
    self.task = task
    self.note = note
  }
}

/// Which schedules are asked for, by number. What is nil doesn't matter.
public struct ScheduleSelection: Sendable, Hashable {
  /// In this state.
  public var state: ScheduleRow.State?
  /// From there: `settings`.
  public var source: String?
  /// With this text in the name, whatever its case (of ASCII letters).
  public var text: String?
  /// With a greater number than this.
  public var after: Int64
  /// At most so many.
  public var limit: Int

  /// Makes a selection.
  public init(
    state: ScheduleRow.State? = nil, source: String? = nil, text: String? = nil, after: Int64 = 0,
    limit: Int = 100
  ) {
    self.state = state
    self.source = source
    self.text = text
    self.after = after
    self.limit = limit
  }
}
