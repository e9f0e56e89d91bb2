internal import AgentSystem

/// Writes schedules on the writer's connection, on the writer's thread.
final class SQLiteSchedules: SQLiteScheduleReader, ScheduleStorage {
  func insert(_ schedule: ScheduleRow) throws(StoreError) -> Int64 {
    try refuse(schedule.name, of: nil)
    // The number isn't reused, because tasks refer to a schedule by its number even after its
    // removal.
    let greatest = try session.number("SELECT max(id) FROM schedules")
    let id = max(greatest, try session.number("SELECT removed FROM schedule_sequence")).adding(1)
    try session.run(
      """
      INSERT INTO schedules VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(id), .text(schedule.name), .text(schedule.state.rawValue),
      .optional(schedule.source), .blob(schedule.definition), .integer(schedule.handled),
      .optional(schedule.next), .optional(schedule.wake), .integer(schedule.created),
      .integer(schedule.updated), .integer(schedule.version))
    return id
  }

  func update(_ schedule: ScheduleRow, from former: ScheduleRow) throws(StoreError) -> Bool {
    // The unique index would also refuse the name, but without the schedule that has it.
    if schedule.name != former.name { try refuse(schedule.name, of: schedule.id) }
    // `handled` is compared too, because a fire changes it without a new version.
    try session.run(
      """
      UPDATE schedules SET name = ?4, state = ?5, source = ?6, definition = ?7, handled = ?8,
        next = ?9, wake = ?10, updated = ?11, version = ?12
      WHERE id = ?1 AND version = ?2 AND handled = ?3
      """,
      .integer(schedule.id), .integer(former.version), .integer(former.handled),
      .text(schedule.name), .text(schedule.state.rawValue), .optional(schedule.source),
      .blob(schedule.definition), .integer(schedule.handled), .optional(schedule.next),
      .optional(schedule.wake), .integer(schedule.updated), .integer(schedule.version))
    return session.changes == 1
  }

  private func refuse(_ name: String, of id: Int64?) throws(StoreError) {
    guard let other = try schedule(named: name), other.id != id else { return }
    throw StoreError(.conflict, "Schedule \(other.id) has the name \"\(name)\" already.")
  }

  func removeSchedule(_ id: Int64) throws(StoreError) -> Bool {
    // Removed here, because the tables have no foreign keys.
    try session.run("DELETE FROM schedule_fires WHERE schedule = ?", .integer(id))
    try session.run("DELETE FROM schedules WHERE id = ?", .integer(id))
    guard session.changes == 1 else { return false }
    try session.run("UPDATE schedule_sequence SET removed = max(removed, ?)", .integer(id))
    return true
  }

  func insert(_ fire: ScheduleFire) throws(StoreError) -> Bool {
    try session.run(
      "INSERT INTO schedule_fires VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      .integer(fire.schedule), .integer(fire.time), .integer(fire.decided), .text(fire.outcome),
      .optional(fire.task), .optional(fire.note))
    return session.changes == 1
  }

  func keepFires(of schedule: Int64, latest count: Int) throws(StoreError) {
    try session.run(
      """
      DELETE FROM schedule_fires WHERE schedule = ?1 AND fire_time <= (
        SELECT fire_time FROM schedule_fires WHERE schedule = ?1
        ORDER BY fire_time DESC LIMIT 1 OFFSET ?2)
      """, .integer(schedule), .integer(Int64(count)))
  }
}
