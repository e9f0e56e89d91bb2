import AgentQueries
import BenchSupport

/// 1,000 queries at once, each over another share of the events; an index says whose an event is.
struct StandingBenchmark {
  /// Events in a millisecond.
  private static let pace = RunLength.choose(full: 100, short: 1)
  let events: BenchEvents

  func results() throws(BenchError) -> [BenchResult] {
    var index = FilterIndex<Int>()
    var plans: [QueryPlan] = []
    for number in 0..<1_000 {
      let plan = try plan(Self.query(number))
      index.insert(plan.filter, id: number)
      plans.append(plan)
    }
    let lookups = RunLength.choose(full: 50_000, short: 500)
    var alone: [Double] = []
    var all: [Double] = []
    var probes: [Double] = []
    for _ in 0..<RunLength.rounds(5) {
      probes.append(try events.loop())
      alone.append(nanoseconds(of: lookups) { _ = index.matching(events[$0]) })
      all.append(try run(plans, index))
    }
    let name = "an event for 1,000 standing queries"
    return [
      BenchResult(
        name: name, unit: "ns", measured: all.median, probe: probes.median, target: .atMost(10_000)),
      BenchResult(
        name: "\(name): the index alone", unit: "ns", measured: alone.median,
        probe: probes.median),
    ]
  }

  private static func query(_ number: Int) -> String {
    let pipe = "=> count(), avg(price) by pair over last 5 minutes every second"
    let type = "tick\(number / 4 % 10)"
    return switch number % 4 {
    case 0: "\(type) pair:pair\(number) \(pipe)"
    case 1: "\(type) price:[\(number * 97) TO \(number * 97 + 500)] \(pipe)"
    case 2: "pair:(pair\(number)|pair\((number + 400) % 1_000)) \(pipe)"
    default: "\(type) pair:pair\(number)* volume:[6 TO *] \(pipe)"
    }
  }

  private func run(
    _ plans: [QueryPlan], _ index: FilterIndex<Int>
  ) throws(BenchError) -> Double {
    let queries = plans.map { RunningQuery($0, timing: QueryTiming(lateness: 0)) }
    for query in queries { _ = query.start(at: 0) }
    var made = 0
    // Two seconds of events; all queries are told the clock four times a second.
    let time = nanoseconds(of: 2_000 * Self.pace) { number in
      let moment = Int64(number / Self.pace)
      if number % (250 * Self.pace) == 0 {
        for query in queries { made += rows(query.advance(to: moment)) }
      }
      for id in index.matching(events[number]) {
        made += rows(queries[id].take(events[number], at: moment, matched: true))
      }
    }
    guard made > 0 else { throw BenchError("No rows came out.") }
    return time
  }
}
