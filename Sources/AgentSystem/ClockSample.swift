internal import Glibc

/// The time of two clocks at the same moment: the wall clock, which people and NTP set, and the
/// steady clock, which only runs forward.
package struct ClockSample: Sendable, Hashable {
  /// The time of the wall clock.
  package var wall: Timestamp
  /// How long the machine has run, without the time in suspension.
  package var steady: Duration

  package init(wall: Timestamp, steady: Duration) { (self.wall, self.steady) = (wall, steady) }

  /// Reads both clocks. If another thread gets the processor in between, the pair looks like a
  /// clock that was set. A slow sample is therefore repeated, five times at most, and the fastest
  /// one counts.
  package init(wall: () -> Int64, steady: () -> Duration) {
    var best: (sample: ClockSample, gap: Duration)?
    for _ in 0..<5 {
      let before = steady()
      let sample = ClockSample(wall: Timestamp(milliseconds: wall()), steady: before)
      let gap = steady() - before
      if gap < best?.gap ?? .seconds(3_600) { best = (sample, gap) }
      if gap < .milliseconds(20) { break }
    }
    self = best?.sample ?? ClockSample(wall: Timestamp(milliseconds: wall()), steady: steady())
  }

  /// Identifies the start of the machine that the steady clock counts from. The text is empty if
  /// the kernel doesn't provide one.
  package static func boot() -> String {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 32 }, as: UTF8.self)
  }

  /// Returns how long the machine has run.
  ///
  /// Rationale: this is `CLOCK_MONOTONIC` and not `CLOCK_BOOTTIME`, because no program works while
  /// the machine is suspended. After a resume the wall clock has jumped, and missing heartbeats are
  /// excused by that.
  package static func steady() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
