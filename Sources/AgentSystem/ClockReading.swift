internal import Glibc

/// Two clocks read at the same moment: the one on the wall, which people and NTP set, and one that
/// only ever runs forward.
package struct ClockReading: Sendable, Hashable {
  /// What the wall clock says.
  package var wall: Timestamp
  /// How long the machine has run, without the time that it was suspended.
  package var steady: Duration

  /// A reading.
  package init(wall: Timestamp, steady: Duration) { (self.wall, self.steady) = (wall, steady) }

  /// Reads both. Between the two another thread may have the processor: it is tried again when that
  /// has taken long, since it would look like a clock that was set.
  package init(wall: () -> Int64, steady: () -> Duration) {
    var best: (reading: ClockReading, gap: Duration)?
    for _ in 0..<5 {
      let before = steady()
      let reading = ClockReading(wall: Timestamp(milliseconds: wall()), steady: before)
      let gap = steady() - before
      if gap < best?.gap ?? .seconds(3_600) { best = (reading, gap) }
      if gap < .milliseconds(20) { break }
    }
    self = best?.reading ?? ClockReading(wall: Timestamp(milliseconds: wall()), steady: steady())
  }

  /// Which start of the machine the steady clock counts from; empty where the kernel doesn't say.
  package static func boot() -> String {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 32 }, as: UTF8.self)
  }

  /// How long the machine has run.
  ///
  /// Rationale: `CLOCK_MONOTONIC` and not `CLOCK_BOOTTIME`, since nobody works while the machine is
  /// suspended: a resume is a jump of the wall clock for whoever has to give a sign of life.
  package static func steady() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
