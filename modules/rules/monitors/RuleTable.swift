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
    /// What to keep over restarts.
    var saved: RuleMemory.Saved
  }

  private struct Entry {
    var key: [JSONValue]
    var state = RuleState()
    var row: JSONObject = [:]
    var time: Int64 = 0
    /// When the last row came, by the host's clock.
    var arrival: Int64
    var uid = EventID.random()

    var saved: RuleMemory.Saved {
      .init(key: key, state: state, row: .object(row), time: time, uid: uid)
    }
  }

  /// How many keys are watched at once; the ones that were quiet for longest are forgotten first.
  static let most = 10_000

  private let rule: RuleSettings
  private var entries: [[JSONValue]: Entry] = [:]
  private var forgotten: [[JSONValue]] = []

  init(_ rule: RuleSettings) {
    self.rule = rule
  }

  var count: Int { entries.count }

  /// Takes back what was kept; `now` is the time by the host's clock. What is of no use any more,
  /// or of other columns than the rule has now, is among the ``forgets()``.
  mutating func restore(_ saved: [RuleMemory.Saved], now: Int64) {
    for saved in saved {
      var entry = Entry(
        key: saved.key, state: saved.state.restored, row: saved.row.object ?? [:], time: saved.time,
        arrival: now)
      entry.uid = saved.uid
      if saved.key.count != rule.by.count || entry.state.isIdle(at: now, rule) {
        forgotten.append(saved.key)
      } else {
        entries[saved.key] = entry
      }
    }
  }

  /// The keys that were forgotten since this was last asked.
  mutating func forgets() -> [[JSONValue]] {
    defer { forgotten = [] }
    return forgotten
  }

  /// Takes a row; `now` is the time by the host's clock.
  mutating func take(_ row: JSONObject, holds: Bool, at time: Int64, now: Int64) -> Firing? {
    let key = rule.by.map { row.field($0) ?? .null }
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
    let isIdle = entry.state.isIdle(at: entry.time, rule)
    entries[entry.key] = isIdle ? nil : kept
    if isIdle, entry.state.said != nil { forgotten.append(entry.key) }
    return change.map {
      Firing(
        change: $0, key: entry.key, row: entry.row, time: entry.time, uid: entry.uid,
        saved: kept.saved)
    }
  }

  private mutating func forget(at time: Int64) {
    let idle = entries.values.filter { $0.state.isIdle(at: time, rule) }
    let gone =
      idle.isEmpty
      ? Array(entries.values.sorted { $0.arrival < $1.arrival }.prefix(entries.count / 10 + 1))
      : idle
    for entry in gone {
      entries[entry.key] = nil
      if entry.state.said != nil { forgotten.append(entry.key) }
    }
  }
}
