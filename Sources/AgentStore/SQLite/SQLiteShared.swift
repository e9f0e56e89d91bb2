internal import Synchronization

/// The data that a store shares with its writer and its readers. Safe from every thread.
final class SQLiteShared: Sendable {
  let configuration: SQLiteStoreConfiguration
  let writes = WorkInbox<WriterJob>()
  let reads = WorkInbox<ReadRequest>()
  private let counters = Mutex(StoreStatistics())
  private let present = Mutex(StoreCondition.ready)
  private let limit: Mutex<Int64?>

  init(_ configuration: SQLiteStoreConfiguration) {
    self.configuration = configuration
    limit = Mutex(configuration.maxBytes)
  }

  /// The largest size of the file in bytes; `nil` for no limit. It is stored here, because the
  /// writer needs it when it reopens the file after a fault.
  var maxBytes: Int64? {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }

  var statistics: StoreStatistics {
    var statistics = counters.withLock { $0 }
    // Outside the lock, because the inbox has its own lock.
    statistics.waiting = writes.count
    return statistics
  }

  func count(_ change: (inout StoreStatistics) -> Void) { counters.withLock { change(&$0) } }

  var condition: StoreCondition {
    get { present.withLock { $0 } }
    set {
      // The callback runs outside the lock, because it may read the condition.
      let hasChanged = present.withLock { present in
        defer { present = newValue }
        return present != newValue
      }
      if hasChanged { configuration.conditionChanged(newValue) }
    }
  }
}

/// A job for the writer's thread.
enum WriterJob: Sendable {
  case write(WriteRequest)
  /// Runs outside a transaction, after the writes that were queued before it.
  case alone(@Sendable (SQLiteWriter) -> Void)
}

/// A read that waits for a reader.
struct ReadRequest: Sendable {
  let run: @Sendable (any StoreSnapshot) throws -> @Sendable () -> Void
  let fail: @Sendable (any Error) -> Void
}
