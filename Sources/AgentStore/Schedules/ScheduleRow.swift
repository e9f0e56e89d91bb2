/// A schedule and its latest handled fire time.
public struct ScheduleRow: Sendable, Hashable {
  /// Whether it fires.
  public enum State: String, Sendable, CaseIterable {
    case active
    case paused
  }

  /// The number, from 1. Numbers aren't reused. 0 before the schedule is stored.
  public var id: Int64
  /// The name, which is unique among schedules.
  public var name: String
  public var state: State
  /// `settings` if the settings file defines it; `nil` if a request created it.
  public var source: String?
  /// The times and the task, as JSON.
  public var definition: [UInt8]
  /// The latest fire time with a decision, in Unix milliseconds.
  public var handled: Int64
  /// The next fire time in Unix milliseconds; `nil` if there is none.
  public var next: Int64?
  /// The time at which the scheduler must handle it, in Unix milliseconds.
  public var wake: Int64?
  /// The time of creation in Unix milliseconds.
  public var created: Int64
  /// The time of the last change by a request or the settings, in Unix milliseconds.
  public var updated: Int64
  /// The number of the version, which increases with each change by a request or the settings.
  public var version: Int64

  /// Creates a row.
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
  /// The fire time in Unix milliseconds.
  public let time: Int64
  /// The time of the decision in Unix milliseconds.
  public let decided: Int64
  /// The decision, as a name from the scheduler.
  public let outcome: String
  /// The created task; `nil` if there is none.
  public let task: Int64?
  /// The reason as a sentence.
  public let note: String?

  /// Creates a record.
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

/// Selects schedules, ordered by number. A property that is `nil` doesn't restrict the selection.
public struct ScheduleSelection: Sendable, Hashable {
  public var state: ScheduleRow.State?
  /// Only schedules from this source: `settings`.
  public var source: String?
  /// Only schedules with this text in the name. The case of ASCII letters is ignored.
  public var text: String?
  /// Only numbers greater than this.
  public var after: Int64
  /// The largest number of schedules.
  public var limit: Int
  /// The largest number of schedules that a page examines, whether they match or not.
  public var look = Int.max

  /// Creates a selection.
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

/// A page of selected schedules.
public struct SchedulePage: Sendable, Hashable {
  public var rows: [ScheduleRow]
  /// The ``ScheduleSelection/after`` of the next page; `nil` for the last page. A page may have
  /// fewer schedules than its limit, or none, although another page follows.
  public var after: Int64?

  /// Creates a page.
  public init(rows: [ScheduleRow], after: Int64?) { (self.rows, self.after) = (rows, after) }
}
