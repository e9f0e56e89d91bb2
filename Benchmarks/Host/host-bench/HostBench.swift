import BenchSupport
import Glibc

/// Runs the benchmarks and prints one table. Absolute numbers hold on a quiet machine only; ratios
/// are taken against a probe in the same run.
@main
struct HostBench {
  static func main() {
    guard CommandLine.arguments.count >= 4 else {
      exitWithUsage("host-bench BIN FOLDER RAW_CHILD [restart|crowd|start|call|worker|fanout]…")
    }
    do {
      let bench = try HostBench(CommandLine.arguments)
      print(ResultTable(results: try bench.results()).text)
    } catch {
      print("bench: \(error)")
      exit(1)
    }
  }

  private let bin: String
  private let folder: BenchFolder
  private let rawChild: String
  private let chosen: Set<String>

  private init(_ arguments: [String]) throws(BenchError) {
    bin = arguments[1]
    folder = try BenchFolder(arguments[2], agent: "\(arguments[1])/agent")
    rawChild = arguments[3]
    chosen = Set(arguments.dropFirst(4))
  }

  private func results() throws(BenchError) -> [BenchResult] {
    var all: [BenchResult] = []
    try run("restart", into: &all) { () throws(BenchError) in
      try RestartBenchmark(folder: folder, rawChild: rawChild).results()
    }
    try run("crowd", into: &all) { () throws(BenchError) in
      try CrowdBenchmark(folder: folder, rawChild: rawChild).results()
    }
    try run("worker", into: &all) { () throws(BenchError) in
      try LinkCallBenchmark(bin: bin, folder: folder.path).results()
        + WorkerCallBenchmark(worker: "\(bin)/agent-worker", module: module).results()
    }
    try run("call", into: &all) { () throws(BenchError) in
      try CallBenchmark(library: "\(module)/libbench_swift.so").results()
    }
    try run("fanout", into: &all) { () throws(BenchError) in
      try WorkerFanOutBenchmark(folder: folder).results()
    }
    try run("start", into: &all) { () throws(BenchError) in
      try StartBenchmark(folder: folder).results()
    }
    return all
  }

  private var module: String { "\(folder.path)/modules/bench_swift" }

  private func run(
    _ name: String, into results: inout [BenchResult],
    measure: () throws(BenchError) -> [BenchResult]
  ) throws(BenchError) {
    guard chosen.isEmpty || chosen.contains(name) else { return }
    print("bench: \(name)")
    results += try measure()
  }
}
