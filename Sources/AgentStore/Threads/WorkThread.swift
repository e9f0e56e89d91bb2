internal import AgentSystem

/// A thread of the store. Rationale: SQLite blocks, and the cooperative pool has only one thread
/// for each core.
enum WorkThread {
  /// Starts a thread that ends when `body` returns.
  static func start(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
    do throws(DetachedThread.StartError) {
      try DetachedThread.start("agent-store", work: body)
    } catch {
      throw StoreError(
        .unusable, "No thread can be started for the database.", cause: error.description)
    }
  }
}
