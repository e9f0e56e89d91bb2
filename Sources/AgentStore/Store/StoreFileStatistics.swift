/// Versions and sizes of a store's file.
public struct StoreFileStatistics: Sendable, Hashable {
  /// The number of the last migration of its tables.
  public var tables: Int64
  /// The number that a file of this version has.
  public var latestTables: Int64
  public var pageBytes: Int64
  public var pages: Int64
  /// Pages that hold nothing.
  public var freePages: Int64
  /// SQLite's journal mode; `wal` for every file that a store has opened.
  public var journalMode: String
  public var fileBytes: Int64
  /// The size of the log of recent changes beside it.
  public var logBytes: Int64
}
