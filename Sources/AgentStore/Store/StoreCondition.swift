/// The condition of a store. Unless it is ready, writes fail immediately. Reads are still possible.
public enum StoreCondition: Sendable, Hashable {
  case ready
  /// There is no free space. The store retries by itself, and accepts writes that free space.
  case full(Obstacle)
  /// A write or a sync failed. The store closes, checks and reopens the file.
  case faulty(Obstacle)
  /// Two reads of the file found damage. A person must restore a backup.
  case corrupt(Obstacle)
  case closed

  /// The reason why writes fail, and the time of the first failure.
  public struct Obstacle: Sendable, Hashable {
    /// The time when the first write failed, in Unix milliseconds.
    public let since: Int64
    /// A sentence for the person who must act.
    public let message: String

    /// Creates an obstacle.
    public init(since: Int64, message: String) {
      self.since = since
      self.message = message
    }
  }

  /// The reason why writes fail; `nil` if they don't, or if the store is closed.
  public var obstacle: Obstacle? {
    switch self {
    case .ready, .closed: nil
    case .full(let obstacle), .faulty(let obstacle), .corrupt(let obstacle): obstacle
    }
  }
}
