/// Whether a store takes writes. While it doesn't, each write fails at once and reads go on.
public enum StoreCondition: Sendable, Hashable {
  case ready
  /// There is no space. The store tries again by itself, and lets writes through that make space.
  case full(Obstacle)
  /// A write or a sync failed. The store closes the file, checks it and opens it anew.
  case faulty(Obstacle)
  /// Two readings of the file found damage. A person has to restore a backup.
  case corrupt(Obstacle)
  case closed

  /// Why writes fail, and since when.
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

  /// The reason why writes fail; nil when they don't, or the store is closed.
  public var obstacle: Obstacle? {
    switch self {
    case .ready, .closed: nil
    case .full(let obstacle), .faulty(let obstacle), .corrupt(let obstacle): obstacle
    }
  }
}
