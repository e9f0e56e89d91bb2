import BenchSupport

/// Measures queries beside plain loops over the same events. All times are CPU time of the one
/// thread; ratios are of medians of rounds that alternate.
@main
struct QueriesBench {
  static func main() throws {
    let events = BenchEvents()
    let windows = try WindowBenchmark(events: events).results()
    let standing = try StandingBenchmark(events: events).results()
    print(ResultTable(results: windows + standing).text)
  }
}
