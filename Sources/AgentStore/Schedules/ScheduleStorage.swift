/// Reads schedules.
public protocol ScheduleReading: AnyObject {
  /// One schedule, or nil.
  func schedule(_ id: Int64) throws(StoreError) -> ScheduleRow?
  /// The schedule of a name, or nil.
  func schedule(named name: String) throws(StoreError) -> ScheduleRow?
  /// Schedules of a selection, by number.
  func schedules(_ selection: ScheduleSelection) throws(StoreError) -> [ScheduleRow]
  /// How many schedules are in a state.
  func scheduleCount(_ state: ScheduleRow.State) throws(StoreError) -> Int64
  /// Schedules that somebody has to look after by a moment, the earliest first.
  func schedulesDue(by moment: Int64, limit: Int) throws(StoreError) -> [ScheduleRow]
  /// The earliest moment at which somebody has to look after a schedule.
  func nextScheduleWake() throws(StoreError) -> Int64?
  /// Active schedules that have decided about times after a moment, by number, from this number on:
  /// the clock was set back.
  func schedules(handledAfter moment: Int64, from id: Int64, limit: Int) throws(StoreError)
    -> [ScheduleRow]
  /// What became of a fire time, or nil.
  func fire(of schedule: Int64, at time: Int64) throws(StoreError) -> ScheduleFire?
  /// What became of fire times before this one, the latest first.
  func fires(of schedule: Int64, before time: Int64?, limit: Int) throws(StoreError)
    -> [ScheduleFire]
  /// The tasks of a schedule that have not ended, by number.
  func openTasks(of schedule: Int64) throws(StoreError) -> [TaskRow]
  /// The schedules that have made tasks which wait for others.
  func schedulesWithWaitingTasks() throws(StoreError) -> [Int64]
}

/// Schedules, and what became of their times.
public protocol ScheduleStorage: ScheduleReading {
  /// Adds a schedule. Fails with `conflict` when its name is taken.
  /// - Returns: its number.
  @discardableResult
  func insert(_ schedule: ScheduleRow) throws(StoreError) -> Int64
  /// Changes a schedule that still has the version and has decided as far as `former`. Fails with
  /// `conflict` when its new name is taken.
  /// - Returns: whether it had; nothing has changed otherwise.
  func update(_ schedule: ScheduleRow, from former: ScheduleRow) throws(StoreError) -> Bool
  /// Removes a schedule and what is known of its times; its tasks stay.
  /// - Returns: whether there was one.
  @discardableResult
  func removeSchedule(_ id: Int64) throws(StoreError) -> Bool
  /// Notes what became of a fire time, unless that was decided before.
  /// - Returns: whether it wasn't.
  func insert(_ fire: ScheduleFire) throws(StoreError) -> Bool
  /// Forgets all but the latest of a schedule's fire times.
  func keepFires(of schedule: Int64, latest count: Int) throws(StoreError)
}
