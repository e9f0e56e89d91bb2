internal import AgentStore
internal import AgentSystem

/// The limits of the total size of open tasks' definitions. They are needed because retention
/// doesn't remove open tasks.
package struct TaskByteLimits: Sendable {
  /// The limit of all tasks, in bytes.
  package var total: Int64 = .max
  /// The limit of each creator that isn't an administrator, in bytes.
  package var each: Int64 = .max

  /// Creates limits that are never reached.
  package init() {}

  init(total: Int64, each: Int64) { (self.total, self.each) = (total, min(total, each)) }

  /// Refuses a task whose definition would add too many bytes to those of the open tasks.
  func check(_ row: TaskRow, adding bytes: Int, in tasks: any TaskStorage) throws {
    // The sums are read only if there is a limit and the change adds something.
    guard total < .max, bytes > 0 else { return }
    let all = try tasks.openBytes(of: nil).adding(Int64(clamping: bytes))
    guard all <= total else {
      throw Self.refusal(
        of: "The open tasks", bytes: all, most: total, setting: "tasks.max_bytes")
    }
    guard let creator = row.creator else { return }
    let own = try tasks.openBytes(of: creator).adding(Int64(clamping: bytes))
    guard own <= each else {
      throw Self.refusal(
        of: "The open tasks of \(creator)", bytes: own, most: each,
        setting: "tasks.max_bytes_each")
    }
  }

  /// Refuses a change that would add too many bytes to those of the open tasks. Such a change
  /// reopens an ended task or enlarges its definition.
  func check(_ row: TaskRow, from former: TaskRow, in tasks: any TaskStorage) throws {
    if row.state.isEnded { return }
    let before = former.state.isEnded ? 0 : former.definition.count
    try check(row, adding: row.definition.count - before, in: tasks)
  }

  private static func refusal(
    of whose: String, bytes: Int64, most: Int64, setting: String
  ) -> TaskError {
    TaskError(
      .conflict,
      "\(whose) would have \(bytes) bytes with this one, and may have at most \(most) (\(setting)). "
        + "Wait until some have ended, or cancel some.")
  }
}
