public import AgentStore
internal import AgentTasks

/// What becomes of a fire time.
public enum ScheduleOutcome: String, Sendable, CaseIterable {
  /// A task was made, and queued.
  case started
  /// A task was made that waits for the runs before it.
  case waiting
  /// An earlier run has not ended, and the overlap policy left it out.
  case skipped
  /// It had passed while nothing could run, and the misfire policy left it out.
  case missed
  /// No task could be made.
  case failed
  /// Somebody wanted a run at that moment.
  case triggered
}

/// What has happened to a schedule. Durable when it is published.
public enum ScheduleNotice: Sendable {
  /// It is new.
  case created(ScheduleRow)
  /// Somebody has changed, paused or resumed it.
  case changed(ScheduleRow)
  /// It isn't there any more.
  case deleted(ScheduleRow)
  /// The scheduler decided about a fire time, `lateness` milliseconds after it was due.
  case decided(ScheduleRow, ScheduleFire, lateness: Int64)
}
