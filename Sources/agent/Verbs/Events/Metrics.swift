internal import AgentJSON
internal import AgentHost
internal import AgentSystem
internal import ArgumentParser
internal import NIOHTTP1

/// Shows the metrics of a running host.
struct Metrics: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Show metrics.",
    discussion: """
      Prints one line per series. A distribution has its count and the bounds of the 50th, 95th \
      and 99th percentiles. docs/metrics.md describes each metric. Exit codes: 0 done, 1 no metric \
      has such a name, 3 the agent isn't running.

      Example: agent metrics store
      """)

  @Argument(help: "Only metrics whose name contains this.") var name: String?

  @Flag(help: "Print Prometheus text format.") var prometheus = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let host = try common.runningHost()
    if prometheus {
      guard name == nil, !common.json else {
        throw ValidationError("--prometheus prints all metrics, and no JSON.")
      }
      return try await host.download("/metrics") { bytes in
        Terminal.copy(bytes)
      }
    }
    let query = name.map { "?name=\(HostClient.escaped($0))" } ?? ""
    let answer = try await host.request(.GET, "metrics\(query)")
    common.show(answer, as: MetricsTable.text)
    if let name, answer["metrics"]?.array?.isEmpty != false {
      throw Failure("No metric has \"\(name)\" in its name.")
    }
  }
}

/// Metrics as text for people.
enum MetricsTable {
  static func text(_ answer: JSONValue) -> String {
    let rows = (answer["metrics"]?.array ?? []).flatMap { metric in
      (metric["series"]?.array ?? []).map { row(metric, $0) }
    }
    return Terminal.table(rows)
  }

  private static func row(_ metric: JSONValue, _ series: JSONValue) -> [String] {
    let name = metric["name"]?.string ?? "?"
    let labels = (series["labels"]?.object ?? [:]).map { "\($0.key)=\($0.value.string ?? "")" }
    return [name, labels.isEmpty ? "-" : labels.joined(separator: " "), value(name, series)]
  }

  private static func value(_ name: String, _ series: JSONValue) -> String {
    guard let count = series["count"]?.int else {
      return amount(name, series["value"]?.double)
    }
    guard count > 0 else { return "0" }
    let shares = ["p50", "p95", "p99"].map { "\($0) \(amount(name, series[$0]?.double))" }
    return "\(count)  " + shares.joined(separator: "  ")
  }

  /// Returns a value with its unit: `12.5 ms`, `3.1 MB`, `42`.
  static func amount(_ name: String, _ value: Double?) -> String {
    guard let value else { return "-" }
    let unit = name.hasSuffix("_total") ? String(name.dropLast("_total".count)) : name
    if unit.hasSuffix("_time_seconds") { return Timestamp.text(Int64(clamping: value * 1000)) }
    if unit.hasSuffix("_seconds") { return seconds(value) }
    if unit.hasSuffix("_bytes") { return bytes(value) }
    return short(value)
  }

  private static func seconds(_ value: Double) -> String {
    switch value {
    case 0: "0 s"
    case ..<0.001: "\(short(value * 1e6)) µs"
    case ..<1: "\(short(value * 1000)) ms"
    default: "\(short(value)) s"
    }
  }

  private static func bytes(_ value: Double) -> String {
    switch value {
    case ..<1024: "\(short(value)) B"
    case ..<1_048_576: "\(short(value / 1024)) KB"
    default: "\(short(value / 1_048_576)) MB"
    }
  }

  /// Returns an integer unchanged, and any other number with three significant digits and at most
  /// two decimals.
  private static func short(_ value: Double) -> String {
    if let whole = Int(exactly: value) { return "\(whole)" }
    guard value.isFinite else { return "\(value)" }
    let scale = abs(value) >= 100 ? 1.0 : abs(value) >= 10 ? 10 : 100
    let rounded = (value * scale).rounded() / scale
    return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
