import BenchSupport

/// Measures the database beside plain SQLite on files of the same schema: `store-bench FOLDER`.
/// Ratios are of medians of rounds that alternate.
@main
struct StoreBench {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      exitWithUsage("store-bench FOLDER")
    }
    let folder = CommandLine.arguments[1]
    var lines: [ResultLine] = []
    lines += try await IdleBenchmark(folder: folder).lines()
    lines += try await AppendBenchmark(folder: folder).lines()
    lines += try await ScanBenchmark(folder: folder).lines()
    print(ResultLine.table(lines))
  }
}
