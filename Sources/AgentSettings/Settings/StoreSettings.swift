/// `store`: the size limit of the database.
public struct StoreSettings: Sendable, Hashable {
  /// The smallest limit: less than that the host's own tables and a few events may need.
  public static let leastBytes = 64 << 20

  /// The most bytes that the database's file has.
  public var maxBytes = 16 << 30

  /// The usual limit.
  public init() {}
}
