import BenchFigures

/// Measures how the bus hands events on, and how fast queries read the log.
@main
struct EventsBench {
  static func main() async throws {
    guard let folder = CommandLine.arguments.dropFirst().first else {
      throw BenchError("usage: events-bench FOLDER [fanout|history]…")
    }
    let chosen = CommandLine.arguments.dropFirst(2)
    var figures: [Figure] = []
    if chosen.isEmpty || chosen.contains("fanout") {
      figures += try await FanOutBenchmark(folder: folder).figures()
    }
    if chosen.isEmpty || chosen.contains("history") {
      figures += try await HistoryBenchmark(folder: folder).figures()
    }
    print(FigureTable(figures: figures).text)
  }
}
