/// Prints results below one another, so that a row reads `measurement | measured | … | met`.
package struct ResultTable {
  private let results: [BenchResult]

  package init(results: [BenchResult]) { self.results = results }

  private static let titles = ["measurement", "measured", "probe", "ratio", "target", "met"]

  package var text: String {
    TextTable(rows: [Self.titles] + results.map(cells)).text
  }

  private func cells(_ result: BenchResult) -> [String] {
    [
      result.name, "\(round(result.measured)) \(result.unit)",
      result.probe.map { "\(round($0)) \(result.unit)" } ?? "",
      result.ratio.map { "\(round($0)) ×" } ?? "", target(result),
      result.met.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  private func target(_ result: BenchResult) -> String {
    switch result.target {
    case .ratio(let most): "≤ \(round(most)) ×"
    case .atMost(let most): "≤ \(round(most)) \(result.unit)"
    case .overProbe(let most): "≤ probe + \(round(most)) \(result.unit)"
    case .none: ""
    }
  }

  /// Two places, as many as such a measurement is good for.
  private func round(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = abs(hundredths) % 100
    let sign = hundredths < 0 && hundredths > -100 ? "-" : ""
    return "\(sign)\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
