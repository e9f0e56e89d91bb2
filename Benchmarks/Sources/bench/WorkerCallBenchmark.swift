import AgentJSON
import AgentWorkerProtocol
import CProbes
import Glibc

/// An adapter call through `agent-worker`, from INVOKE to REPLY, beside a raw round trip of as many
/// bytes over a socketpair.
struct WorkerCallBenchmark {
  let worker: String
  let module: String
  let calls = 20_000

  func figures() throws(BenchError) -> [Figure] {
    [
      try figure("adapter call through a worker, one core", pinned: true, .ratio(4)),
      try figure("adapter call through a worker, unpinned", pinned: false, .none),
    ]
  }

  private func figure(
    _ name: String, pinned: Bool, _ target: Figure.Target
  ) throws(BenchError) -> Figure {
    let raw = try succeeded(probe_round_trip(Int32(calls), 64, pinned ? 1 : 0), "The round trip")
    var client = try WorkerClient(worker: worker, module: module)
    try client.prepare(library: "\(module)/libbench_swift.so")
    if pinned { try client.pin() }
    var samples: [Double] = []
    for _ in 0..<5 { samples.append(try client.time(calls / 5) / 1000) }
    client.close()
    return Figure(
      name: name, unit: "µs", measured: samples.median, probe: raw / 1000, target: target)
  }
}
