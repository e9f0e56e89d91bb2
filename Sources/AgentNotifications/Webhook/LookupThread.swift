internal import Glibc

/// A thread for one look-up.
///
/// Rationale: a pool of threads is shared, and a look-up that doesn't return would keep one from
/// its other users.
enum LookupThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Returns whether the thread could be started.
  @Sendable
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
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
      return false
    }
    pthread_detach(thread)
    return true
  }
}
