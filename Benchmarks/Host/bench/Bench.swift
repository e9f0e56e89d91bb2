import BenchFigures
import Glibc

/// Runs the benchmarks and prints one table. Absolute numbers hold on a quiet machine only; ratios
/// are taken against a probe in the same run.
@main
struct Bench {
  static func main() {
    guard CommandLine.arguments.count >= 4 else {
      print("usage: bench BIN FOLDER RAW_CHILD [restart|crowd|start|call|worker|fanout]…")
      exit(2)
    }
    do {
      let bench = try Bench(CommandLine.arguments)
      print(FigureTable(figures: try bench.figures()).text)
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

  private func figures() throws(BenchError) -> [Figure] {
    var all: [Figure] = []
    try run("restart", into: &all) { () throws(BenchError) in
      try RestartBenchmark(folder: folder, rawChild: rawChild).figures()
    }
    try run("crowd", into: &all) { () throws(BenchError) in
      try CrowdBenchmark(folder: folder, rawChild: rawChild).figures()
    }
    try run("worker", into: &all) { () throws(BenchError) in
      try LinkCallBenchmark(bin: bin, folder: folder.path).figures()
        + WorkerCallBenchmark(worker: "\(bin)/agent-worker", module: module).figures()
    }
    try run("call", into: &all) { () throws(BenchError) in
      try CallBenchmark(library: "\(module)/libbench_swift.so").figures()
    }
    try run("fanout", into: &all) { () throws(BenchError) in
      try WorkerFanOutBenchmark(folder: folder).figures()
    }
    try run("start", into: &all) { () throws(BenchError) in
      try StartBenchmark(folder: folder).figures()
    }
    return all
  }

  private var module: String { "\(folder.path)/modules/bench_swift" }

  private func run(
    _ name: String, into figures: inout [Figure], measure: () throws(BenchError) -> [Figure]
  ) throws(BenchError) {
    guard chosen.isEmpty || chosen.contains(name) else { return }
    print("bench: \(name)")
    figures += try measure()
  }
}
