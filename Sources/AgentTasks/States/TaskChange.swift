public import AgentStore

/// A task that was created, changed or removed. Observers receive it when it is durable. Recorders
/// receive it in the transaction that stores it.
///
/// Rationale: a class for the same reason as ``TaskStep``, because each change is handed to several
/// observers.
public final class TaskChange: Sendable {
  /// The state before the change; `nil` for a new task.
  public let former: TaskState?
  /// The row after the change. If the task was removed, its last row.
  public let task: TaskRow
  /// Whether the task was removed.
  public let isRemoved: Bool

  package init(_ former: TaskRow?, _ task: TaskRow, isRemoved: Bool = false) {
    self.former = former?.state
    self.task = task
    self.isRemoved = isRemoved
    formerKey = former?.queueKey
  }

  /// The queue before the change. A transition may change the queue, but the slot that it releases
  /// belongs to this one.
  let formerKey: String?

  /// Whether the state differs, or the task was removed.
  public var changesState: Bool { former != task.state || isRemoved }
}
