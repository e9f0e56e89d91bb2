import BenchSupport

/// A line of the table.
struct ResultLine {
  /// What a ratio to the probe has to be.
  enum Target {
    case atLeast(Double)
    case atMost(Double)
    case none
  }

  let name: String
  let unit: String
  let measured: Double
  var probe: Double?
  var ratio: Double?
  var target = Target.none

  private var cells: [String] {
    var aim = ""
    var met = ""
    switch (target, ratio) {
    case (.atLeast(let least), let ratio?):
      aim = "≥ \(Self.short(least)) ×"
      met = ratio >= least ? "yes" : "NO"
    case (.atMost(let most), let ratio?):
      aim = "≤ \(Self.short(most)) ×"
      met = ratio <= most ? "yes" : "NO"
    default: break
    }
    return [
      name, "\(Self.short(measured)) \(unit)", probe.map { "\(Self.short($0)) \(unit)" } ?? "",
      ratio.map { "\(Self.short($0)) ×" } ?? "", aim, met,
    ]
  }

  static func table(_ lines: [ResultLine]) -> String {
    let titles = ["measurement", "measured", "SQLite alone", "ratio", "target", "met"]
    return TextTable(rows: [titles] + lines.map(\.cells)).lines.joined(separator: "\n")
  }

  /// Whole from 1000 on, else two places.
  private static func short(_ value: Double) -> String {
    if value >= 1000 { return String(Int(value.rounded())) }
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
