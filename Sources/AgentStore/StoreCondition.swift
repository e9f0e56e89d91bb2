/// Whether a store takes writes. While it doesn't, each of them fails at once and reads go on.
public enum StoreCondition: Sendable, Hashable {
  /// Writes are taken.
  case ready
  /// There is no room. It is tried again and again, and writes that make room are let through.
  case full(Obstacle)
  /// A write or a sync failed: the file is being closed, reopened and checked.
  case faulty(Obstacle)
  /// The check found damage. Only a person can help: from a backup.
  case corrupt(Obstacle)
  /// The store was closed.
  case closed

  /// What stands in the way.
  public struct Obstacle: Sendable, Hashable {
    /// When the first write failed, in Unix milliseconds.
    public let since: Int64
    /// A sentence for the person who must act.
    public let message: String

    /// Describes what stands in the way.
    public init(since: Int64, message: String) {
      self.since = since
      self.message = message
    }
  }

  /// What stands in the way of writes.
  public var obstacle: Obstacle? {
    switch self {
    case .ready, .closed: nil
    case .full(let obstacle), .faulty(let obstacle), .corrupt(let obstacle): obstacle
    }
  }
}
