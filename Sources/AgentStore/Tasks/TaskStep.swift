/// A change of a task, from the row that was read to the row that is to be stored.
///
/// Rationale: a class, because a row has many fields, and copies of it took a tenth of the writer's
/// time.
public final class TaskStep: Sendable {
  /// The row before the change.
  public let former: TaskRow
  /// The row after the change. Its version is the former one plus one.
  public let task: TaskRow

  /// Creates a change from one row to the next.
  public init(from former: TaskRow, to task: TaskRow) { (self.former, self.task) = (former, task) }
}
