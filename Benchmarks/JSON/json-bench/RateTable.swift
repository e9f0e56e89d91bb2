import BenchSupport

/// Prints rates below one another: ours, each peer's, and how many times as fast we are.
struct RateTable {
  struct Row {
    let name: String
    /// Per second of CPU time.
    let own: Double
    /// What the peers have reached; nil for one that can't do it.
    let peers: [Rate.Outcome?]
    /// How many times as fast as peer `against` it has to be.
    let target: Double?
    let against: Int

    /// The first outcome is our own.
    init(name: String, outcomes: [Rate.Outcome?], target: Double?, against: Int = 0) {
      self.name = name
      own = outcomes.first??.rate ?? 0
      peers = Array(outcomes.dropFirst())
      self.target = target
      self.against = against
    }

    var ratio: Double? { peers[against]?.ratio }

    /// Whether the target is met; nil where there is none.
    var met: Bool? {
      guard let target, let ratio else { return nil }
      return ratio >= target
    }
  }

  let columns: [String]
  let rows: [Row]

  var text: String {
    let titles = ["per second of CPU", "ours"] + columns + ["ratio", "target", "met"]
    return TextTable(rows: [titles] + rows.map(cells)).text
  }

  private func cells(_ row: Row) -> [String] {
    let others = row.peers.map { peer in
      peer.map { "\(Self.grouped($0.rate)) (\(Self.short($0.ratio)) ×)" } ?? ""
    }
    return [row.name, Self.grouped(row.own)] + others + [
      row.ratio.map { "\(Self.short($0)) ×" } ?? "",
      row.target.map { "≥ \(Self.short($0)) ×" } ?? "",
      row.met.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  /// One place where there are few.
  private static func short(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 || tenths >= 1000 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Whole numbers in groups of three digits.
  private static func grouped(_ value: Double) -> String {
    if value < 100 { return short(value) }
    var rest = String(Int(value.rounded()))
    var groups: [String] = []
    while rest.count > 3 {
      groups.insert(String(rest.suffix(3)), at: 0)
      rest.removeLast(3)
    }
    return ([rest] + groups).joined(separator: "\u{202F}")
  }
}
