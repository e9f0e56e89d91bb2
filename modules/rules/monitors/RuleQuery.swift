import AgentKit

/// The query that the host runs for a rule, and what the host says about it in terms of the
/// settings.
///
/// The condition becomes a column of its own behind the query: the host's engine computes it, and
/// rows that don't meet it come too, which shows when an alert is over.
struct RuleQuery: Sendable {
  /// The column that says whether the condition is met.
  static let column = "__holds"

  /// What is run.
  let text: String
  private let condition: String?
  private let lines: Int

  init(_ query: String, condition: String?) {
    self.condition = condition
    lines = query.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    // On lines of its own, so that its places are known, and a comment ends before it.
    text = condition.map { "\(query)\n=> @set (\n\($0)\n) as \(Self.column)" } ?? query
  }

  /// Whether a row meets the condition; only true does.
  func holds(_ row: QueryRow) -> Bool {
    condition == nil || row[Self.column] == .bool(true)
  }

  /// A row without the column that was added.
  func plain(_ row: QueryRow) -> JSONObject {
    var values = row.values
    if condition != nil { values[Self.column] = nil }
    return values
  }

  /// `query:4:7: …` is about the condition where that is on line 3.
  func explain(_ message: String) -> String {
    guard let condition, let mark = message.firstRange(of: "query:") else { return message }
    let places = message[mark.upperBound...].split(separator: ":", maxSplits: 2)
    guard places.count == 3, let line = Int(places[0]), Int(places[1]) != nil, line > lines + 1
    else { return message }
    let last = condition.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    let within = min(line - lines - 1, last)
    return message[..<mark.lowerBound] + "condition:\(within):\(places[1]):\(places[2])"
  }
}
