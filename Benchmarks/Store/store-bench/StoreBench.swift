import AgentStore
import CStoreProbe
import Glibc

/// Measures the database beside plain SQLite on files of the same schema: `store-bench FOLDER`.
/// Ratios are of medians of rounds that alternate.
@main
struct StoreBench {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: store-bench FOLDER")
      exit(2)
    }
    let folder = CommandLine.arguments[1]
    var lines: [ResultLine] = []
    lines += try await IdleBenchmark(folder: folder).lines()
    lines += try await AppendBenchmark(folder: folder).lines()
    lines += try await ScanBenchmark(folder: folder).lines()
    print(ResultLine.table(lines))
  }
}

/// What a benchmark can't go on without.
struct BenchError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Nanoseconds since some moment.
func moment() -> Int64 { Int64(StoreClock.system.monotonic()) }

extension Collection where Element: BinaryFloatingPoint {
  /// The middle value; 0 for none.
  var median: Element {
    let sorted = self.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
