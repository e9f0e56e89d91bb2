import BenchSupport

/// How often something is done in a second of CPU time.
struct Rate {
  /// How long one run takes, at least.
  static let leastSeconds = RunLength.choose(full: 0.04, short: 0.000_1)
  /// How many runs the median is of.
  static let runs = RunLength.rounds(9)

  /// The CPU seconds of `count` times `body`.
  static func seconds(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    try BenchClock.process.time { for _ in 0..<count { try body() } } / 1e9
  }

  /// What a contender has reached.
  struct Outcome {
    /// The median of its rates.
    let rate: Double
    /// How many times as fast as it the first contender is: the median over the rounds, in each of
    /// which they ran right after one another. A machine that is faster in one round than in another
    /// is so for both.
    let ratio: Double
  }

  /// The outcomes of several contenders, each asked for the seconds that `repetitions` runs take;
  /// nil for one that can't say. Their runs alternate.
  static func outcomes(_ contenders: [(Int) throws -> Double?]) throws -> [Outcome?] {
    let counts = try contenders.map(enough)
    var rates: [[Double]] = contenders.map { _ in [] }
    for _ in 0..<runs {
      for (index, contender) in contenders.enumerated() {
        guard let count = counts[index], let seconds = try contender(count) else { continue }
        rates[index].append(Double(count) / seconds)
      }
    }
    return rates.map { own in
      own.isEmpty
        ? nil : Outcome(rate: own.median, ratio: zip(rates[0], own).map { $0 / $1 }.median)
    }
  }

  /// How many repetitions make a run.
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
