internal import Glibc

/// Nanoseconds since some moment.
func nanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// The rate a second of `count` things since `start`.
func rate(_ count: Int, since start: UInt64) -> Int {
  Int(Double(count) / (Double(nanoseconds() - start) / 1e9))
}
