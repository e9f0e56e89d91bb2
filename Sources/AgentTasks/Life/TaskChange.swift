public import AgentStore

/// A task has changed, or is new. Durable when somebody is told of it.
public struct TaskChange: Sendable {
  /// The state that it was in; nil for a new one.
  public let former: TaskState?
  /// What it is; what it was when it was removed.
  public let task: TaskRow
  /// It isn't there any more.
  public let isRemoved: Bool

  package init(_ former: TaskRow?, _ task: TaskRow, isRemoved: Bool = false) {
    (self.former, self.task, self.isRemoved) = (former?.state, task, isRemoved)
    formerLane = former?.lane
  }

  /// The lane that it was in.
  let formerLane: String?

  /// The state is another one.
  public var changesState: Bool { former != task.state || isRemoved }
}
