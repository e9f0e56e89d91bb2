/// A schedule, with the latest fire time that is decided about.
public struct ScheduleRow: Sendable, Hashable {
  /// Whether it fires.
  public enum State: String, Sendable, CaseIterable {
    case active
    case paused
  }

  /// Its number, from 1, never given twice; 0 before it is stored.
  public var id: Int64
  /// Unique among schedules.
  public var name: String
  public var state: State
  /// `settings` for one that the settings file defines; nil for one that a request has created.
  public var source: String?
  /// When it fires and the task that it makes, as JSON.
  public var definition: [UInt8]
  /// The latest fire time that is decided about, in Unix milliseconds.
  public var handled: Int64
  /// The next fire time, in Unix milliseconds; nil when there is none.
  public var next: Int64?
  /// When the scheduler has to act on it, in Unix milliseconds.
  public var wake: Int64?
  /// When it was created, in Unix milliseconds.
  public var created: Int64
  /// When it was last changed by a request or the settings, in Unix milliseconds.
  public var updated: Int64
  /// One more with each change by a request or the settings.
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

/// The decision about one fire time of a schedule. There is at most one for each fire time.
public struct ScheduleFire: Sendable, Hashable {
  public let schedule: Int64
  /// The fire time, in Unix milliseconds.
  public let time: Int64
  /// When the decision was made, in Unix milliseconds.
  public let decided: Int64
  /// The decision, in a word of AgentTasks.
  public let outcome: String
  /// The task that was made; nil where none was.
  public let task: Int64?
  /// The reason, as a sentence.
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

/// Selects schedules, by number. A property that is nil leaves nothing out.
public struct ScheduleSelection: Sendable, Hashable {
  public var state: ScheduleRow.State?
  /// Only schedules from this source: `settings`.
  public var source: String?
  /// Only schedules with this text in the name. The case of ASCII letters doesn't matter.
  public var text: String?
  /// Only numbers greater than this.
  public var after: Int64
  /// The most schedules.
  public var limit: Int
  /// The most schedules that a page looks at, selected or not.
  public var look = Int.max

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

/// A page of the schedules of a selection.
public struct SchedulePage: Sendable, Hashable {
  public var rows: [ScheduleRow]
  /// The ``ScheduleSelection/after`` of the next page; nil for the last page. A page may have fewer
  /// than its limit, or none, and yet be followed by another one.
  public var after: Int64?

  /// Makes a page.
  public init(rows: [ScheduleRow], after: Int64?) { (self.rows, self.after) = (rows, after) }
}
