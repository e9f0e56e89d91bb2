import Glibc

/// The time that a measurement counts, in nanoseconds.
package enum BenchClock: Sendable {
  /// Time on the clock.
  case elapsed
  /// CPU time of all threads of this process.
  case process
  /// CPU time of the calling thread.
  case thread

  /// Nanoseconds since some moment.
  package var now: Int64 {
    var time = timespec()
    clock_gettime(id, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Nanoseconds that `body` takes.
  package func time(_ body: () throws -> Void) rethrows -> Double {
    let start = now
    try body()
    return Double(now - start)
  }

  private var id: clockid_t {
    switch self {
    case .elapsed: CLOCK_MONOTONIC
    case .process: CLOCK_PROCESS_CPUTIME_ID
    case .thread: CLOCK_THREAD_CPUTIME_ID
    }
  }
}
