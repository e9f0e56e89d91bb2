/// How a ``SQLiteStore`` works; passed to `open`.
public struct SQLiteStoreConfiguration: Sendable {
  /// The file; beside it are `-wal`, `-shm` and `.lock`.
  public var path: String
  public var clock: StoreClock
  /// How much an owner of the key-value store may hold.
  public var state = StateLimits()
  /// How many threads read, each with a connection of its own.
  public var readers = 3
  /// The largest size of the file, in bytes; nil for no limit.
  public var maxBytes: Int64?
  /// With this many pages in the log of recent changes they are taken over into the file: 16 MB of
  /// 4 KB.
  public var checkpointPages = 4000
  /// The most writes in one transaction (docs/decisions/0011).
  public var largestGroup = 1024
  /// Called on the writer's thread whenever ``Store/condition`` has changed.
  public var conditionChanged: @Sendable (StoreCondition) -> Void = { _ in }

  /// Called while the file is opened, with a sentence for the person who runs the host.
  public var notice: @Sendable (String) -> Void = { _ in }
  /// The steps that made the tables; tests add to them.
  var migrations = SQLiteMigration.all
  /// Starts a thread for the writer or a reader; tests make it fail.
  var startThread: @Sendable (@escaping @Sendable () -> Void) throws(StoreError) -> Void = {
    (body) throws(StoreError) in try WorkThread.start(body)
  }

  /// The usual configuration.
  public init(path: String, clock: StoreClock = .system) {
    self.path = path
    self.clock = clock
  }
}
