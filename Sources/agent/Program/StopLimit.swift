internal import Glibc
internal import Synchronization

/// Limits the time that the host takes to stop. A hanging disk or a fault of the host must not keep
/// a process that was asked to stop.
enum StopLimit {
  private static let seconds = Atomic<UInt32>(0)

  /// Ends the process if it still runs after this time. Called once.
  ///
  /// Rationale: a thread of its own needs nothing that could block. Acknowledged data is stored,
  /// and workers end with their host.
  static func begin(milliseconds: Int) {
    seconds.store(UInt32(clamping: max(0, milliseconds) / 1000 + 1), ordering: .relaxed)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { _ in
        let limit = StopLimit.seconds.load(ordering: .relaxed)
        var rest = limit
        while rest > 0 { rest = sleep(rest) }
        let text = Array(
          "agent: the host didn't stop within \(limit) s of the request; it ends now.\n"
            .utf8)
        _ = write(2, text, text.count)
        _exit(1)
      }, nil)
    if result == 0 { pthread_detach(thread) }
  }
}
