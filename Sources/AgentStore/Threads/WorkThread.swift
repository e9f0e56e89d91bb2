internal import Glibc

/// A thread of the system. Rationale: SQLite blocks, and the cooperative pool has a thread a core.
enum WorkThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread that ends when `body` returns.
  static func start(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let outcome = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard outcome == 0 else {
      work.release()
      throw StoreError(
        .unusable, "No thread can be started for the database.",
        cause: String(cString: strerror(outcome)))
    }
    pthread_detach(thread)
  }
}
