/// The word that a task's state is stored as.
public struct StoredTaskState: Sendable, Hashable {
  /// The task.
  public let id: Int64
  /// The word; one of ``TaskRow/State``, unless another program has written it.
  public let state: String

  /// Makes one.
  public init(id: Int64, state: String) { (self.id, self.state) = (id, state) }
}
