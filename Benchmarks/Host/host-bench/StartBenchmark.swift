import BenchSupport
import CProbes
import Glibc

/// CPU time of `agent validate`, and of the host until all its processes are READY.
struct StartBenchmark {
  private static let validated = RunLength.choose(full: 200, short: 5)
  private static let started = RunLength.choose(full: 20, short: 3)
  let folder: BenchFolder

  func results() throws(BenchError) -> [BenchResult] {
    [
      BenchResult(
        name: "agent validate, \(Self.validated) processes, CPU", unit: "ms",
        measured: try validate(), target: .atMost(20)),
      BenchResult(
        name: "agent run until \(Self.started) Swift processes READY, CPU", unit: "ms",
        measured: try run(), target: .atMost(300)),
    ]
  }

  private func validate() throws(BenchError) -> Double {
    try folder.configure("swift_sleeper", count: Self.validated)
    var samples: [Double] = []
    for _ in 0..<RunLength.rounds(11) {
      let arguments = [folder.agent, "validate"]
      samples.append(try Program.run(arguments, in: folder.path, log: folder.log) / 1e6)
    }
    return samples.median
  }

  private func run() throws(BenchError) -> Double {
    try folder.configure("swift_sleeper", count: Self.started)
    var samples: [Double] = []
    for _ in 0..<RunLength.rounds(5) {
      folder.page.clear()
      let host = try folder.start()
      _ = try folder.page.starts(Self.started)
      samples.append(host.cpu)
      try host.stop()
    }
    return samples.median
  }
}
