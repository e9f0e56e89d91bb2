internal import Synchronization

/// What a store, its writer and its readers share. Safe from every thread.
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

  /// The largest size of the file, in bytes; nil for no limit. Kept here, because the writer opens
  /// the file anew after a fault and needs it then.
  var maxBytes: Int64? {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }

  var statistics: StoreStatistics {
    var statistics = counters.withLock { $0 }
    // Outside of the lock: the inbox has one of its own.
    statistics.waiting = writes.count
    return statistics
  }

  func count(_ change: (inout StoreStatistics) -> Void) { counters.withLock { change(&$0) } }

  var condition: StoreCondition {
    get { present.withLock { $0 } }
    set {
      // The callback runs outside of the lock: it may ask for the condition.
      let hasChanged = present.withLock { present in
        defer { present = newValue }
        return present != newValue
      }
      if hasChanged { configuration.conditionChanged(newValue) }
    }
  }
}

/// What the writer's thread does next.
enum WriterJob: Sendable {
  case write(WriteRequest)
  /// Runs outside of any transaction, after the writes that were queued before it.
  case alone(@Sendable (SQLiteWriter) -> Void)
}

/// A read that waits for a reader.
struct ReadRequest: Sendable {
  let run: @Sendable (any StoreSnapshot) throws -> @Sendable () -> Void
  let fail: @Sendable (any Error) -> Void
}
