import BenchSupport

/// Measures how the bus hands events on, and how fast queries read the log.
@main
struct EventsBench {
  static func main() async throws {
    guard let folder = CommandLine.arguments.dropFirst().first else {
      exitWithUsage("events-bench FOLDER [fanout|history]…")
    }
    let chosen = CommandLine.arguments.dropFirst(2)
    var results: [BenchResult] = []
    if chosen.isEmpty || chosen.contains("fanout") {
      results += try await FanOutBenchmark(folder: folder).results()
    }
    if chosen.isEmpty || chosen.contains("history") {
      results += try await HistoryBenchmark(folder: folder).results()
    }
    print(ResultTable(results: results).text)
  }
}
