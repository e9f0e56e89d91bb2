/// The state of a task as it is stored, for checks that also find words that aren't states.
public struct StoredTaskState: Sendable, Hashable {
  public let id: Int64
  /// One of ``TaskRow/State``, unless another program has written it.
  public let state: String

  /// Makes one.
  public init(id: Int64, state: String) { (self.id, self.state) = (id, state) }
}
