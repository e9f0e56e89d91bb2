public import AgentStore
internal import AgentTasks

/// The decision about a fire time. The names are on the wire and in the database.
public enum ScheduleOutcome: String, Sendable, CaseIterable {
  /// A task was created and queued.
  case started
  /// A task was created. It waits for earlier runs.
  case waiting
  /// An earlier run hasn't ended, and the overlap policy allows no further run.
  case skipped
  /// The fire time passed while nothing could run, and the misfire policy allows no run for it.
  case missed
  /// No task could be created.
  case failed
  /// A user triggered a run at this moment.
  case triggered
}

/// A change of a schedule, or a decision about a fire time. It is durable when it is published.
public enum ScheduleNotice: Sendable {
  /// The schedule was created.
  case created(ScheduleRow)
  /// The schedule was edited, paused or resumed.
  case changed(ScheduleRow)
  /// The schedule was deleted. The row is the former one.
  case deleted(ScheduleRow)
  /// The scheduler decided about a fire time `lateness` milliseconds after it was due.
  case decided(ScheduleRow, ScheduleFire, lateness: Int64)
}
