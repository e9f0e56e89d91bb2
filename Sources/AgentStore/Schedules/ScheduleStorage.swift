/// Reads schedules.
public protocol ScheduleReader: AnyObject {
  /// One schedule, or nil.
  func schedule(_ id: Int64) throws(StoreError) -> ScheduleRow?
  /// The schedule of a name, or nil.
  func schedule(named name: String) throws(StoreError) -> ScheduleRow?
  /// A page of the schedules of a selection, by number.
  func page(_ selection: ScheduleSelection) throws(StoreError) -> SchedulePage
  /// How many schedules are in a state.
  func scheduleCount(_ state: ScheduleRow.State) throws(StoreError) -> Int64
  /// Schedules whose ``ScheduleRow/wake`` is at or before a moment, the earliest first.
  func schedulesDue(by moment: Int64, limit: Int) throws(StoreError) -> [ScheduleRow]
  /// The earliest ``ScheduleRow/wake``; nil when there is none.
  func nextScheduleWake() throws(StoreError) -> Int64?
  /// Active schedules that have decided about times after a moment, by number, from this number on.
  /// Called when the clock was set back.
  func schedules(handledAfter moment: Int64, from id: Int64, limit: Int) throws(StoreError)
    -> [ScheduleRow]
  /// The decision about a fire time, or nil.
  func fire(of schedule: Int64, at time: Int64) throws(StoreError) -> ScheduleFire?
  /// The decisions about fire times before this one, the latest first.
  func fires(of schedule: Int64, before time: Int64?, limit: Int) throws(StoreError)
    -> [ScheduleFire]
  /// The tasks of a schedule that have not ended, by number.
  func openTasks(of schedule: Int64) throws(StoreError) -> [TaskRow]
  /// The schedules with tasks in the state `waiting`.
  func schedulesWithWaitingTasks() throws(StoreError) -> [Int64]
}

extension ScheduleReader {
  /// Schedules of a selection, by number.
  public func schedules(_ selection: ScheduleSelection) throws(StoreError) -> [ScheduleRow] {
    try page(selection).rows
  }
}

/// Writes schedules, and the decisions about their fire times.
public protocol ScheduleStorage: ScheduleReader {
  /// Adds a schedule. Fails with `conflict` when its name is taken.
  /// - Returns: its number.
  @discardableResult
  func insert(_ schedule: ScheduleRow) throws(StoreError) -> Int64
  /// Changes a schedule that still has the version of `former` and has decided about no later time.
  /// Fails with `conflict` when its new name is taken.
  /// - Returns: false when it hasn't; nothing has changed then.
  func update(_ schedule: ScheduleRow, from former: ScheduleRow) throws(StoreError) -> Bool
  /// Removes a schedule and the decisions about its fire times; its tasks stay.
  /// - Returns: whether there was one.
  @discardableResult
  func removeSchedule(_ id: Int64) throws(StoreError) -> Bool
  /// Notes the decision about a fire time, unless there is one.
  /// - Returns: false when there is one.
  func insert(_ fire: ScheduleFire) throws(StoreError) -> Bool
  /// Removes all but the latest decisions about a schedule's fire times.
  func keepFires(of schedule: Int64, latest count: Int) throws(StoreError)
}
