/// `store`: the size limit of the database.
public struct StoreSettings: Sendable, Hashable {
  /// The smallest limit, in bytes. The host's own tables and a few events need that much.
  public static let leastBytes = 64 << 20

  /// The maximum size of the database's file, in bytes.
  public var maxBytes = 16 << 30

  public init() {}
}
