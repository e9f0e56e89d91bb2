/// The configuration of a ``SQLiteStore``.
public struct SQLiteStoreConfiguration: Sendable {
  /// The path of the file. The files `-wal`, `-shm` and `.lock` are next to it.
  public var path: String
  public var clock: StoreClock
  /// The limits of an owner in the key-value store.
  public var state = StateLimits()
  /// The number of reader threads. Each has its own connection.
  public var readers = 3
  /// The largest size of the file in bytes; `nil` for no limit.
  public var maxBytes: Int64?
  /// The number of pages in the write-ahead log at which a checkpoint writes them into the file.
  /// 4000 pages of 4 KB are 16 MB.
  public var checkpointPages = 4000
  /// The largest number of writes in one transaction (docs/decisions/0011).
  public var largestGroup = 1024
  /// Called on the writer's thread when ``Store/condition`` has changed.
  public var conditionChanged: @Sendable (StoreCondition) -> Void = { _ in }

  /// Called while the file is opened, with a sentence for the person who operates the host.
  public var notice: @Sendable (String) -> Void = { _ in }
  /// The migrations that create the tables. Tests add further ones.
  var migrations = SQLiteMigration.all
  /// Starts a thread for the writer or a reader. Tests make it fail.
  var startThread: @Sendable (@escaping @Sendable () -> Void) throws(StoreError) -> Void = {
    (body) throws(StoreError) in try WorkThread.start(body)
  }

  /// Creates the default configuration.
  public init(path: String, clock: StoreClock = .system) {
    self.path = path
    self.clock = clock
  }
}
