import BenchSupport
import CProbes
import Glibc

/// What 500 workers cost: time until all are up, memory of each, memory of the host.
struct CrowdBenchmark {
  let folder: BenchFolder
  let rawChild: String
  let count = RunLength.choose(full: 500, short: 8)

  func results() throws(BenchError) -> [BenchResult] {
    let raw = try succeeded(probe_spawn(rawChild, Int32(count)), "The raw spawn of many") / 1e6
    let few = try measure("command_sleeper", count: 1, sandbox: "off")
    let commands = try measure("command_sleeper", count: count, sandbox: "off")
    let workers = try measure("swift_sleeper", count: count)
    return [
      BenchResult(
        name: "\(count) commands up, no sandbox", unit: "ms", measured: commands.up - few.up,
        probe: raw, target: .ratio(1.7)),
      BenchResult(
        name: "\(count) commands up, from exec of the host", unit: "ms", measured: commands.up),
      BenchResult(
        name: "\(count) Swift workers up, from exec of the host", unit: "ms", measured: workers.up),
      BenchResult(
        name: "Swift worker, proportional memory", unit: "MB", measured: workers.child / 1024,
        target: .atMost(2.5)),
      BenchResult(
        name: "host memory, each further child", unit: "KB",
        measured: (commands.host - few.host) / Double(count - 1), target: .atMost(4)),
      BenchResult(
        name: "host memory with \(count) Swift workers", unit: "MB", measured: workers.host / 1024,
        target: .atMost(40)),
    ]
  }

  private struct Crowd {
    var up: Double
    var child: Double
    var host: Double
  }

  private func measure(
    _ type: String, count: Int, sandbox: String = "default"
  ) throws(BenchError) -> Crowd {
    try folder.configure(type, count: count, sandbox: sandbox)
    let host = try folder.start()
    let starts = try folder.page.starts(count)
    let last = starts.map(\.time).max() ?? host.startedAt
    usleep(RunLength.choose(full: 2_000_000, short: 200_000))
    var memory: [Double] = []
    for start in starts { memory.append(try ProcessMemory.proportional(start.pid)) }
    let own = try ProcessMemory.proportional(host.program.pid)
    try host.stop()
    return Crowd(up: Double(last - host.startedAt) / 1e6, child: memory.median, host: own)
  }
}
