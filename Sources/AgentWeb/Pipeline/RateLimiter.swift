internal import AgentSystem
internal import Synchronization

/// Limits the rate of requests by a token bucket for each name. A bucket fills as time passes.
final class RateLimiter: Sendable {
  private struct Bucket {
    var level: Double
    var filled: Int64
  }

  /// The maximum number of buckets. Full ones are removed first.
  private static let most = 20_000
  private let rate: Double
  private let burst: Double
  private let buckets = Mutex<[String: Bucket]>([:])

  /// - Parameters:
  ///   - rate: the average number of requests a second.
  ///   - burst: the number of requests that may come at once.
  init(rate: Int, burst: Int) {
    self.rate = Double(rate)
    self.burst = Double(max(burst, 1))
  }

  /// Takes a token from a bucket. Returns nil, or the wait in milliseconds. `now` is in
  /// milliseconds.
  func wait(_ name: String, now: Int64) -> Int64? {
    buckets.withLock { buckets in
      var bucket = buckets[name] ?? Bucket(level: burst, filled: now)
      // A clock that was set back must not empty a bucket.
      bucket.level = min(
        burst, bucket.level + Double(max(0, now.subtracting(bucket.filled))) * rate / 1000)
      bucket.filled = now
      defer {
        if buckets.count >= Self.most, buckets[name] == nil { forget(&buckets, now: now) }
        buckets[name] = bucket
      }
      if bucket.level >= 1 {
        bucket.level -= 1
        return nil
      }
      return Int64(clamping: ((1 - bucket.level) * 1000 / rate).rounded(.up))
    }
  }

  private func forget(_ buckets: inout [String: Bucket], now: Int64) {
    buckets = buckets.filter {
      $0.value.level + Double(now.subtracting($0.value.filled)) * rate / 1000 < burst
    }
    // No bucket is full. All are removed, which gives each client one new burst. Memory stays
    // bounded.
    if buckets.count >= Self.most { buckets.removeAll() }
  }
}
