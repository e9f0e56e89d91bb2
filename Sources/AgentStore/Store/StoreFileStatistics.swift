/// The versions and sizes of a store's file.
public struct StoreFileStatistics: Sendable, Hashable {
  /// The number of the latest migration of its tables.
  public var tables: Int64
  /// The number of the latest migration that this program knows.
  public var latestTables: Int64
  public var pageBytes: Int64
  public var pages: Int64
  /// The number of unused pages.
  public var freePages: Int64
  /// SQLite's journal mode: `wal` for every file that a store has opened.
  public var journalMode: String
  public var fileBytes: Int64
  /// The size of the write-ahead log.
  public var logBytes: Int64
}
