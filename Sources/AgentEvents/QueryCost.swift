public import AgentQueries
internal import AgentSystem

/// What a query has cost so far, or in all.
public struct QueryCost: Sendable, Hashable {
  /// The longest text that is kept of a query.
  static let longestText = 2000

  /// The query as it was written, cut where it is very long.
  public let text: String
  /// The span that it looks at; nil for a search.
  public let span: String?
  /// When it began, in Unix milliseconds.
  public let startedAt: Int64
  /// How long it read the log, in milliseconds.
  public internal(set) var pastMilliseconds: Int64 = 0
  /// When it ended; nil while it runs.
  public internal(set) var endedAt: Int64?
  /// What each of its steps has cost.
  public internal(set) var stages: [StageFigures] = []

  init(text: String, span: String?, startedAt: Int64) {
    self.text = text.utf8.count > Self.longestText ? String(text.prefix(Self.longestText)) : text
    self.span = span
    self.startedAt = startedAt
  }
}

/// The queries that run, and those of the past that read the log longest. Pure: time is given.
struct QueryLedger: Sendable {
  /// How many of the past are kept.
  static let mostKept = 20

  private var lastNumber = 0
  private var open: [Int: QueryCost] = [:]
  /// The slowest first.
  private(set) var slowest: [QueryCost] = []

  /// Those that run, oldest first.
  var running: [QueryCost] { open.sorted { $0.key < $1.key }.map(\.value) }

  mutating func begin(_ text: String, span: String?, at now: Int64) -> Int {
    lastNumber += 1
    open[lastNumber] = QueryCost(text: text, span: span, startedAt: now)
    return lastNumber
  }

  mutating func update(_ number: Int, stages: [StageFigures]) { open[number]?.stages = stages }

  /// It has read all of the past that it wanted.
  mutating func endPast(_ number: Int, stages: [StageFigures] = [], at now: Int64) {
    guard let cost = open[number] else { return }
    open[number]?.pastMilliseconds = max(0, now.subtracting(cost.startedAt))
    open[number]?.stages = stages
  }

  mutating func end(_ number: Int, at now: Int64) {
    guard var cost = open.removeValue(forKey: number) else { return }
    cost.endedAt = now
    let place = slowest.firstIndex { $0.pastMilliseconds < cost.pastMilliseconds }
    slowest.insert(cost, at: place ?? slowest.count)
    if slowest.count > Self.mostKept { slowest.removeLast() }
  }
}
