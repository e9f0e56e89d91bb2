import AgentKit

/// What a rule knows of each thing that it watches: of each combination of its `by` columns.
struct RuleTable: Sendable {
  /// Something to publish.
  struct Firing: Sendable {
    var change: RuleState.Change
    var key: [JSONValue]
    var row: JSONObject
    var time: Int64
    /// Names the annotation; the same when it is over.
    var uid: String
  }

  private struct Entry {
    var key: [JSONValue]
    var state = RuleState()
    var row: JSONObject = [:]
    var time: Int64 = 0
    /// When the last row came, by the host's clock.
    var arrival: Int64
    var uid = EventID.random()
  }

  /// How many keys are watched at once; the ones that were quiet for longest are forgotten first.
  static let most = 10_000

  private let rule: RuleSettings
  private var entries: [[JSONValue]: Entry] = [:]

  init(_ rule: RuleSettings) {
    self.rule = rule
  }

  var count: Int { entries.count }

  /// Takes a row; `now` is the time by the host's clock.
  mutating func take(_ row: JSONObject, holds: Bool, at time: Int64, now: Int64) -> Firing? {
    let key = rule.by.map { row.value(at: $0) ?? .null }
    if entries[key] == nil {
      // Most keys of most queries never meet the condition.
      guard holds else { return nil }
      if entries.count >= Self.most { forget(at: time) }
    }
    var entry = entries[key] ?? Entry(key: key, arrival: now)
    let change = entry.state.take(holds, at: time, rule)
    entry.arrival = now
    entry.time = time
    if holds { entry.row = row }
    return settle(entry, change)
  }

  /// What is over because there has been no row for so long; `now` is the host's time.
  mutating func endQuiet(now: Int64) -> [Firing] {
    let quiet = entries.values.filter { now &- $0.arrival >= rule.silence && $0.state.since != nil }
    return quiet.compactMap { entry in
      var entry = entry
      let passed = max(now &- entry.arrival, 0)
      entry.time = entry.time.addingReportingOverflow(passed).partialValue
      let change = entry.state.end(rule)
      return settle(entry, change)
    }
  }

  private mutating func settle(_ entry: Entry, _ change: RuleState.Change?) -> Firing? {
    var kept = entry
    if entry.state.since == nil { kept.uid = EventID.random() }
    entries[entry.key] = entry.state.isIdle(at: entry.time, rule) ? nil : kept
    return change.map {
      Firing(change: $0, key: entry.key, row: entry.row, time: entry.time, uid: entry.uid)
    }
  }

  private mutating func forget(at time: Int64) {
    entries = entries.filter { !$0.value.state.isIdle(at: time, rule) }
    guard entries.count >= Self.most else { return }
    let oldest = entries.values.sorted { $0.arrival < $1.arrival }.prefix(entries.count / 10 + 1)
    for entry in oldest { entries[entry.key] = nil }
  }
}
