/// Makes guessing slow: who has failed often waits, longer each time, and is forgiven in time.
struct SignInThrottle {
  private struct Failures {
    var count: Int
    var last: Int64
  }

  /// So many may fail without a wait: people mistype.
  static let free = 5
  /// The first wait, in milliseconds; it doubles.
  static let first: Int64 = 1000
  /// The longest wait.
  static let longest: Int64 = 15 * 60_000
  /// What is kept; beyond it the oldest go.
  static let most = 10_000

  private var failures: [String: Failures] = [:]

  /// How long one of these must wait still, in milliseconds; nil when none must.
  func wait(for names: [String], now: Int64) -> Int64? {
    names.compactMap { name -> Int64? in
      guard let failed = failures[name], failed.count >= Self.free else { return nil }
      let pause = min(Self.longest, Self.first << min(20, failed.count - Self.free))
      let left = failed.last + pause - now
      return left > 0 ? left : nil
    }.max()
  }

  mutating func failed(_ names: [String], now: Int64) {
    failures = failures.filter { $0.value.last > now - Self.longest }
    if failures.count >= Self.most,
      let oldest = failures.min(by: { $0.value.last < $1.value.last })?.key
    {
      failures[oldest] = nil
    }
    for name in names {
      failures[name] = Failures(count: (failures[name]?.count ?? 0) + 1, last: now)
    }
  }

  /// Forgives a name. The address isn't: it may try another name.
  mutating func succeeded(_ name: String) { failures[name] = nil }
}
