import AgentJSON
import BenchSupport
import Foundation
import JSONSchema

/// Measures patterns: what usual ones cost, and how long those take that make others explode:
/// `pattern-bench EXPLOSIVE_PATTERNS`. A pattern is measured as a schema of nothing else.
@main
struct PatternBench {
  /// How long no attack may take.
  static let maxMilliseconds = 50.0
  static let matches = RunLength.choose(full: 20_000, short: 100)
  static let compilations = RunLength.choose(full: 500, short: 2)
  /// How often an attack repeats the part of its text that does the harm.
  static let pumps = RunLength.choose(full: 20_000, short: 200)

  static let usual = [
    ("^[a-z][a-z0-9_-]*$", "trade_window"), ("^x-", "x-internal"), ("^\\S+$", "no-space-here"),
    ("^\\d{4}-\\d{2}-\\d{2}$", "2026-11-22"), ("^#[0-9a-fA-F]{6}$", "#ffcc00"),
    ("^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$", "2026-11-22"),
    ("^(debug|info|notice|warning|error)$", "warning"), ("\\.json$", "settings.json"),
    ("^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "someone@example.org"),
    ("^https?://[^\\s/]+(/\\S*)?$", "https://example.org/path"), ("\\p{L}+", "12 Émile"),
    ("^\\p{L}+$", "Привет"), ("^(?=.*[A-Z])(?=.*\\d).{8,}$", "Passw0rdXY"),
    ("(?<!a)b", "ccccab b"), ("^(['\"]).*\\1$", "'quoted'"),
  ]

  static func main() throws {
    guard CommandLine.arguments.count == 2,
      let data = FileManager.default.contents(atPath: CommandLine.arguments[1])
    else {
      exitWithUsage("pattern-bench EXPLOSIVE_PATTERNS")
    }
    for (pattern, text) in usual { try measure(pattern, text) }
    let attacks = try (JSONValue(parsing: Array(data)).array ?? []).map(attack)
    let slowest = attacks.sorted { $0.milliseconds > $1.milliseconds }
    let isMet = (slowest.first?.milliseconds ?? 0) < maxMilliseconds
    print("\n\(attacks.count) explosive patterns, texts of \(pumps) parts; the slowest:")
    for item in slowest.prefix(5) { print("\(short(item.milliseconds)) ms  \(item.pattern)") }
    if RunLength.isShort { return }
    print("each under \(Int(maxMilliseconds)) ms: \(isMet ? "yes" : "NO")")
  }

  private static func measure(_ pattern: String, _ text: String) throws {
    let value: JSONValue = ["pattern": .string(pattern)]
    let schema = try Schema(value)
    let node = JSONDocument(.string(text)).root
    var count = 0
    // A pattern becomes a table after some use.
    for _ in 0..<500 where schema.isValid(node) { count += 1 }
    let match = best(matches) { if schema.isValid(node) { count += 1 } }
    let compile = try best(compilations) { count += try Schema(value).isValid(node) ? 1 : 0 }
    guard count > 0 else { return print("doesn't match: \(pattern)") }
    print("match \(short(match)) ns, compile \(short(compile / 1000)) µs  \(pattern)  \(text)")
  }

  private static func attack(_ item: JSONValue) throws -> (pattern: String, milliseconds: Double) {
    let pattern = item["pattern"]?.string ?? ""
    let pump = String(repeating: item["pump"]?.string ?? "", count: pumps)
    let text = (item["prefix"]?.string ?? "") + pump + (item["suffix"]?.string ?? "")
    let node = JSONDocument(.string(text)).root
    let schema = try Schema(["pattern": .string(pattern)])
    // The first time, which builds a table, counts as well as the later ones.
    let milliseconds = (0..<3).map { _ in
      BenchClock.process.time { if schema.isValid(node) { print("matches: \(pattern)") } } / 1e6
    }
    return (pattern, milliseconds.max() ?? 0)
  }

  /// The nanoseconds of one of `count` calls, in the best of the runs.
  private static func best(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
    let runs = try (0..<RunLength.rounds(9)).map { _ in
      try BenchClock.process.time { for _ in 0..<count { try body() } }
    }
    return (runs.min() ?? 0) / Double(count)
  }

  private static func short(_ value: Double) -> String {
    "\(Double(Int((value * 10).rounded())) / 10)"
  }
}
