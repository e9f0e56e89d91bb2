internal import BenchSupport

/// The rate a second of `count` things since `start`, a moment of `BenchClock.elapsed`.
func rate(_ count: Int, since start: Int64) -> Int {
  Int(Double(count) / (Double(BenchClock.elapsed.now - start) / 1e9))
}
