public import AgentQueries
internal import AgentSystem

/// The costs of a query so far.
public struct QueryCost: Sendable, Hashable {
  /// The maximum number of characters of a query's text.
  static let longestText = 2000

  /// The text of the query, cut to ``longestText`` characters.
  public let text: String
  /// The span of the query. Nil means a search.
  public let span: String?
  /// The start in Unix milliseconds.
  public let startedAt: Int64
  /// How long it read the log, in milliseconds.
  public internal(set) var pastMilliseconds: Int64 = 0
  /// The end in Unix milliseconds. Nil means that it runs.
  public internal(set) var endedAt: Int64?
  /// The costs of each step.
  public internal(set) var stages: [StageStatistics] = []

  init(text: String, span: String?, startedAt: Int64) {
    self.text = text.utf8.count > Self.longestText ? String(text.prefix(Self.longestText)) : text
    self.span = span
    self.startedAt = startedAt
  }
}

/// The running queries, and the ended ones that read the log longest. It has no clock.
struct QueryBudget: Sendable {
  /// The maximum number of ended queries.
  static let maxKept = 20

  private var lastNumber = 0
  private var open: [Int: QueryCost] = [:]
  /// Sorted, the slowest first.
  private(set) var slowest: [QueryCost] = []

  /// The running queries, oldest first.
  var running: [QueryCost] { open.sorted { $0.key < $1.key }.map(\.value) }

  mutating func begin(_ text: String, span: String?, at now: Int64) -> Int {
    lastNumber += 1
    open[lastNumber] = QueryCost(text: text, span: span, startedAt: now)
    return lastNumber
  }

  mutating func update(_ number: Int, stages: [StageStatistics]) { open[number]?.stages = stages }

  /// Records that a query has read the whole past of its span.
  mutating func endPast(_ number: Int, stages: [StageStatistics] = [], at now: Int64) {
    guard let cost = open[number] else { return }
    // A clock that was set back must not make a time negative.
    open[number]?.pastMilliseconds = max(0, now.subtracting(cost.startedAt))
    open[number]?.stages = stages
  }

  mutating func end(_ number: Int, at now: Int64) {
    guard var cost = open.removeValue(forKey: number) else { return }
    cost.endedAt = now
    let place = slowest.firstIndex { $0.pastMilliseconds < cost.pastMilliseconds }
    slowest.insert(cost, at: place ?? slowest.count)
    if slowest.count > Self.maxKept { slowest.removeLast() }
  }
}
