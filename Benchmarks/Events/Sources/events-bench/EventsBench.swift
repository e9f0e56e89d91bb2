/// Measures how the bus hands events on. Times are CPU time of the whole process.
@main
struct EventsBench {
  static func main() async throws {
    guard let folder = CommandLine.arguments.dropFirst().first else {
      throw BenchError("usage: events-bench FOLDER")
    }
    print(FigureTable(figures: try await FanOutBenchmark(folder: folder).figures()).text)
  }
}
