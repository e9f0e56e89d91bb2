public import AgentStore

/// A task has changed, or is new. Durable when somebody is told of it.
public struct TaskChange: Sendable {
  /// What it was; nil for a new one.
  public let former: TaskRow?
  /// What it is; what it was when it was removed.
  public let task: TaskRow
  /// It isn't there any more.
  public let isRemoved: Bool

  init(_ former: TaskRow?, _ task: TaskRow, isRemoved: Bool = false) {
    (self.former, self.task, self.isRemoved) = (former, task, isRemoved)
  }

  /// The state is another one.
  public var changesState: Bool { former?.state != task.state || isRemoved }
}
