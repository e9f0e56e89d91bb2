/// How a store's file looks from outside.
public struct StoreFigures: Sendable, Hashable {
  /// The number of its tables' last change.
  public var tables: Int64
  /// That number in a file of this version.
  public var latestTables: Int64
  /// Bytes of a page.
  public var pageBytes: Int64
  /// Pages of the file.
  public var pages: Int64
  /// Those of them that hold nothing.
  public var freePages: Int64
  /// How recent changes are kept: `wal`.
  public var journalMode: String
  /// The file's size.
  public var fileBytes: Int64
  /// The size of the log of recent changes beside it.
  public var logBytes: Int64
}
