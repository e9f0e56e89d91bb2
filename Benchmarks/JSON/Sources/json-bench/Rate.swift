import Glibc

/// How often something is done in a second of CPU time.
struct Rate {
  /// How long one run takes, at least.
  static let leastSeconds = 0.04
  /// How many runs the median is of.
  static let runs = 9

  /// The CPU time of this process in seconds.
  static func cpu() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// The CPU seconds of `count` times `body`.
  static func seconds(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = cpu()
    for _ in 0..<count { try body() }
    return cpu() - start
  }

  /// The median rates of several contenders, each asked for the seconds that so many rounds take;
  /// nil for one that can't say. Their runs alternate.
  static func medians(_ contenders: [(Int) throws -> Double?]) throws -> [Double?] {
    let counts = try contenders.map(enough)
    var rates: [[Double]] = contenders.map { _ in [] }
    for _ in 0..<runs {
      for (index, contender) in contenders.enumerated() {
        guard let count = counts[index], let seconds = try contender(count) else { continue }
        rates[index].append(Double(count) / seconds)
      }
    }
    return rates.map { $0.isEmpty ? nil : $0.sorted()[$0.count / 2] }
  }

  /// How many rounds make a run.
  private static func enough(_ contender: (Int) throws -> Double?) throws -> Int? {
    var count = 1
    while true {
      guard let seconds = try contender(count) else { return nil }
      if seconds >= leastSeconds { return count }
      // The first rounds are slower; grow in steps, so that they don't decide.
      let factor = leastSeconds * 1.1 / max(seconds, 1e-7)
      count = Int(Double(count) * min(max(factor, 1.2), 20)) + 1
    }
  }
}
