/// How a ``SQLiteStore`` works.
public struct SQLiteStoreConfiguration: Sendable {
  /// The file; beside it are `-wal`, `-shm` and `.lock`.
  public var path: String
  /// The time.
  public var clock: StoreClock
  /// How much the key-value store takes.
  public var state = StateLimits()
  /// Threads that read, each with a connection.
  public var readers = 3
  /// The largest size of the file, in bytes; nil for no limit.
  public var maximumBytes: Int64?
  /// After so many pages in the log of recent changes they are taken over into the file.
  public var checkpointPages = 4000
  /// The most writes in one transaction.
  public var largestGroup = 1024
  /// Called on the writer's thread whenever ``Store/condition`` has changed.
  public var conditionChanged: @Sendable (StoreCondition) -> Void = { _ in }

  /// Called while the file is opened, with a sentence for the person who runs the host.
  public var notice: @Sendable (String) -> Void = { _ in }
  /// How the tables came to be; tests add to it.
  var migrations = SQLiteMigration.all

  /// The usual configuration.
  public init(path: String, clock: StoreClock = .system) {
    self.path = path
    self.clock = clock
  }
}
