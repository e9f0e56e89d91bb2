import AgentJSON
import AgentWorkerProtocol
import BenchSupport
import CProbes
import Glibc

/// An adapter call of the barest client, from INVOKE to REPLY, beside a raw round trip of as many
/// bytes over a socketpair: what the worker's end alone costs.
struct WorkerCallBenchmark {
  let worker: String
  let module: String
  let calls = RunLength.choose(full: 20_000, short: 500)

  func results() throws(BenchError) -> [BenchResult] {
    [
      try result("worker's end alone, one core", pinned: true),
      try result("worker's end alone, unpinned", pinned: false),
    ]
  }

  private func result(_ name: String, pinned: Bool) throws(BenchError) -> BenchResult {
    let raw = try succeeded(probe_round_trip(Int32(calls), 64, pinned ? 1 : 0), "The round trip")
    var client = try WorkerClient(worker: worker, module: module)
    try client.prepare(library: "\(module)/libbench_swift.so")
    if pinned { try client.pin() }
    var samples: [Double] = []
    for _ in 0..<RunLength.rounds(5) { samples.append(try client.time(calls / 5) / 1000) }
    client.close()
    return BenchResult(
      name: name, unit: "µs", measured: samples.median, probe: raw / 1000)
  }
}
