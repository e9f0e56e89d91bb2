internal import Glibc

/// The clock of the store, with a way to call a function later. Tests pass their own clock.
public struct StoreClock: Sendable {
  /// Returns the time in Unix milliseconds, for stored times.
  public var now: @Sendable () -> Int64
  /// Returns nanoseconds since an arbitrary time, for durations. Unlike the wall clock, it is never
  /// set.
  public var monotonic: @Sendable () -> UInt64
  /// Calls `action` once after `delay` milliseconds, on any thread.
  public var schedule: @Sendable (_ delay: Int64, _ action: @escaping @Sendable () -> Void) -> Void

  /// Creates a clock.
  public init(
    now: @escaping @Sendable () -> Int64, monotonic: @escaping @Sendable () -> UInt64,
    schedule: @escaping @Sendable (Int64, @escaping @Sendable () -> Void) -> Void
  ) {
    self.now = now
    self.monotonic = monotonic
    self.schedule = schedule
  }

  /// The system's clock.
  public static let system = StoreClock(
    now: { Int64(clamping: read(CLOCK_REALTIME) / 1_000_000) },
    monotonic: { read(CLOCK_MONOTONIC) },
    schedule: { delay, action in
      Task {
        try? await Task.sleep(for: .milliseconds(delay))
        action()
      }
    })

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }
}
