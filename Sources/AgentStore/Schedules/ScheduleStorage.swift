/// Reads schedules.
public protocol ScheduleReader: AnyObject {
  /// Returns a schedule, or `nil` if there is none with this number.
  func schedule(_ id: Int64) throws(StoreError) -> ScheduleRow?
  /// Returns the schedule with a name, or `nil` if there is none.
  func schedule(named name: String) throws(StoreError) -> ScheduleRow?
  /// Returns a page of selected schedules, ordered by number.
  func page(_ selection: ScheduleSelection) throws(StoreError) -> SchedulePage
  /// Returns the number of schedules in a state.
  func scheduleCount(_ state: ScheduleRow.State) throws(StoreError) -> Int64
  /// Returns the bytes of the definitions of all schedules. It reads every row.
  func scheduleBytes() throws(StoreError) -> Int64
  /// Returns schedules whose ``ScheduleRow/wake`` is at or before `moment`, the earliest first.
  func schedulesDue(by moment: Int64, limit: Int) throws(StoreError) -> [ScheduleRow]
  /// Returns the earliest ``ScheduleRow/wake``, or `nil` if there is none.
  func nextScheduleWake() throws(StoreError) -> Int64?
  /// Returns active schedules whose latest handled fire time is after `moment`, ordered by number,
  /// from `id` on. Called when the clock was set back.
  func schedules(handledAfter moment: Int64, from id: Int64, limit: Int) throws(StoreError)
    -> [ScheduleRow]
  /// Returns the decision about a fire time, or `nil` if there is none.
  func fire(of schedule: Int64, at time: Int64) throws(StoreError) -> ScheduleFire?
  /// Returns the decisions about fire times before `time`, the latest first.
  func fires(of schedule: Int64, before time: Int64?, limit: Int) throws(StoreError)
    -> [ScheduleFire]
  /// Returns the tasks of a schedule that haven't ended, ordered by number.
  func openTasks(of schedule: Int64) throws(StoreError) -> [TaskRow]
  /// Returns the schedules with tasks in the state `waiting`.
  func schedulesWithWaitingTasks() throws(StoreError) -> [Int64]
}

extension ScheduleReader {
  /// Returns the selected schedules, ordered by number.
  public func schedules(_ selection: ScheduleSelection) throws(StoreError) -> [ScheduleRow] {
    try page(selection).rows
  }
}

/// Writes schedules and the decisions about their fire times.
public protocol ScheduleStorage: ScheduleReader {
  /// Adds a schedule.
  /// - Returns: its number.
  /// - Throws: `conflict` if its name exists.
  @discardableResult
  func insert(_ schedule: ScheduleRow) throws(StoreError) -> Int64
  /// Changes a schedule if it still has the version and the latest handled fire time of `former`.
  /// - Returns: false if it hasn't. Then nothing has changed.
  /// - Throws: `conflict` if its new name exists.
  func update(_ schedule: ScheduleRow, from former: ScheduleRow) throws(StoreError) -> Bool
  /// Removes a schedule and the decisions about its fire times. Its tasks are kept.
  /// - Returns: false if there was no such schedule.
  @discardableResult
  func removeSchedule(_ id: Int64) throws(StoreError) -> Bool
  /// Stores the decision about a fire time, unless there is one.
  /// - Returns: false if there is one.
  func insert(_ fire: ScheduleFire) throws(StoreError) -> Bool
  /// Removes all decisions about a schedule's fire times except the `count` latest ones.
  func keepFires(of schedule: Int64, latest count: Int) throws(StoreError)
}
