import AgentJSON
import BenchSupport
import CProbes
import Glibc

/// A worker publishes, ten others subscribe and count, in a host as it is used; beside a process
/// that writes as many bytes to ten readers.
struct WorkerFanOutBenchmark {
  private static let counters = 10
  /// An event as it travels, and how many travel together.
  private static let bytes = 130
  private static let batch = 100
  /// How long deliveries are counted, in microseconds.
  private static let span: UInt32 = RunLength.choose(full: 1_000_000, short: 200_000)
  let folder: BenchFolder

  func results() throws(BenchError) -> [BenchResult] {
    let page = try CountPage("\(folder.path)/pages/counts")
    return [
      try result("10 workers, not stored", page, stored: false),
      try result("10 workers, stored", page, stored: true),
    ]
  }

  private func result(
    _ name: String, _ page: CountPage, stored: Bool
  ) throws(BenchError) -> BenchResult {
    page.clear()
    try folder.configure(processes(page.path, stored: stored))
    let host = try folder.start()
    var rounds: [(measured: Double, probe: Double)] = []
    let result: Result<Void, BenchError> = Result { () throws(BenchError) in
      try settle(page)
      for _ in 0..<RunLength.rounds(5) { rounds.append((try measure(page), 0)) }
    }
    try host.stop()
    try result.get()
    for round in rounds.indices { rounds[round].probe = try probe() }
    return BenchResult(
      name: "a delivery to \(name)", unit: "ns", rounds: rounds, target: .atMost(2_000))
  }

  private func processes(_ page: String, stored: Bool) -> JSONObject {
    var processes: JSONObject = [
      "source": [
        "type": "event_source", "page": .string(page), "counters": JSONValue(Self.counters),
        "stored": .bool(stored),
      ]
    ]
    for slot in 0..<Self.counters {
      processes["counter\(slot)"] = [
        "type": "event_counter", "page": .string(page), "slot": JSONValue(slot),
      ]
    }
    return processes
  }

  /// Waits until every counter counts.
  private func settle(_ page: CountPage) throws(BenchError) {
    let deadline = probe_now() + 60_000_000_000
    let enough: Int64 = RunLength.choose(full: 5_000, short: 200)
    while page.counts(Self.counters).contains(where: { $0 < enough }) {
      guard probe_now() < deadline else {
        throw BenchError("Counted in a minute: \(page.counts(Self.counters)).")
      }
      usleep(10_000)
    }
  }

  /// Nanoseconds a delivery.
  private func measure(_ page: CountPage) throws(BenchError) -> Double {
    let (before, begin) = (page.counts(Self.counters), probe_now())
    usleep(Self.span)
    let (after, end) = (page.counts(Self.counters), probe_now())
    let counted = zip(after, before).reduce(0) { $0 + $1.0 - $1.1 }
    guard counted > 0 else { throw BenchError("Nothing arrived in \(Self.span) µs.") }
    return Double(end - begin) / Double(counted)
  }

  private func probe() throws(BenchError) -> Double {
    let chunks = RunLength.choose(full: 2_000, short: 50)
    let time = probe_fan_out(Int32(Self.counters), Self.bytes * Self.batch, Int32(chunks))
    return try succeeded(time, "Writing to ten readers")
      / Double(chunks * Self.counters * Self.batch)
  }
}
