internal import Glibc

/// The time, and a way to be called later. Tests bring their own clock.
public struct StoreClock: Sendable {
  /// Unix milliseconds, for what is written down.
  public var now: @Sendable () -> Int64
  /// Nanoseconds since some moment, for durations: unlike the wall clock it is never set.
  public var monotonic: @Sendable () -> UInt64
  /// Calls `action` after `delay` milliseconds, on any thread.
  public var schedule: @Sendable (_ delay: Int64, _ action: @escaping @Sendable () -> Void) -> Void

  /// Makes a clock.
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
