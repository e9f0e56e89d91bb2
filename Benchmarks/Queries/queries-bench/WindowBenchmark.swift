import AgentQueries
import BenchSupport

/// A window of an hour over 1,000 groups, put out every minute, two hours and more long.
struct WindowBenchmark {
  private static let count = RunLength.choose(full: 1_000_000, short: 20_000)
  let events: BenchEvents

  func results() throws(BenchError) -> [BenchResult] {
    [
      try result("one hour by 1,000 keys: count", "count()"),
      try result(
        "one hour by 1,000 keys: count, sum, avg, min, max",
        "count(), sum(price), avg(price), min(price), max(price)"),
    ]
  }

  private func result(_ name: String, _ columns: String) throws(BenchError) -> BenchResult {
    let plan = try plan("* => \(columns) by pair over last hour every minute")
    var times: [Double] = []
    var probes: [Double] = []
    for _ in 0..<RunLength.rounds(5) {
      probes.append(try events.loop())
      times.append(try run(plan))
    }
    return BenchResult(
      name: name, unit: "ns", measured: times.median, probe: probes.median, target: .atMost(1_000))
  }

  private func run(_ plan: QueryPlan) throws(BenchError) -> Double {
    let query = RunningQuery(plan, timing: QueryTiming(lateness: 0))
    _ = query.start(at: 0)
    var made = 0
    let time = nanoseconds(of: Self.count) { number in
      let moment = Int64(number * 8)
      // The clock is told four times a second.
      if number % 32 == 0 { made += rows(query.advance(to: moment)) }
      made += rows(query.take(events[number], at: moment))
    }
    let least = RunLength.choose(full: 100 * BenchEvents.keys, short: 0)
    guard made > least else { throw BenchError("Only \(made) rows came out.") }
    return time
  }
}
