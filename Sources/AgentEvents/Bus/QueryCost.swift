public import AgentQueries
internal import AgentSystem

/// The costs of a query, so far or in all.
public struct QueryCost: Sendable, Hashable {
  /// The most characters that are kept of a query's text.
  static let longestText = 2000

  /// The query as it was written, cut to ``longestText`` characters.
  public let text: String
  /// The span that it reads; nil for a search.
  public let span: String?
  /// When it began, in Unix milliseconds.
  public let startedAt: Int64
  /// How long it read the log, in milliseconds.
  public internal(set) var pastMilliseconds: Int64 = 0
  /// When it ended, in Unix milliseconds; nil while it runs.
  public internal(set) var endedAt: Int64?
  /// The costs of each of its steps.
  public internal(set) var stages: [StageFigures] = []

  init(text: String, span: String?, startedAt: Int64) {
    self.text = text.utf8.count > Self.longestText ? String(text.prefix(Self.longestText)) : text
    self.span = span
    self.startedAt = startedAt
  }
}

/// The queries that run, and those that have ended and read the log longest. Pure: time is given.
struct QueryLedger: Sendable {
  /// How many queries that have ended are kept.
  static let maxKept = 20

  private var lastNumber = 0
  private var open: [Int: QueryCost] = [:]
  /// The slowest first.
  private(set) var slowest: [QueryCost] = []

  /// The queries that run, oldest first.
  var running: [QueryCost] { open.sorted { $0.key < $1.key }.map(\.value) }

  mutating func begin(_ text: String, span: String?, at now: Int64) -> Int {
    lastNumber += 1
    open[lastNumber] = QueryCost(text: text, span: span, startedAt: now)
    return lastNumber
  }

  mutating func update(_ number: Int, stages: [StageFigures]) { open[number]?.stages = stages }

  /// Called when a query has read all of the past that its span asks for.
  mutating func endPast(_ number: Int, stages: [StageFigures] = [], at now: Int64) {
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
