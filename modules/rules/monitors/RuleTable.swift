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

  /// What is to be kept, and what isn't any more.
  struct Changes: Sendable {
    var saved: [RuleMemory.Saved] = []
    var forgotten: [[JSONValue]] = []

    var isEmpty: Bool { saved.isEmpty && forgotten.isEmpty }
  }

  private struct Entry {
    var key: [JSONValue]
    var state = RuleState()
    var row: JSONObject = [:]
    var time: Int64 = 0
    /// When the last row came, by the time that has gone by since the rule began.
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
  /// The keys whose entries have changed or gone since ``changes()`` was asked for.
  private var changed: Set<[JSONValue]> = []
  /// The entries that may be among what is kept.
  private var kept: Set<[JSONValue]> = []

  init(_ rule: RuleSettings) {
    self.rule = rule
  }

  var count: Int { entries.count }

  /// Restores what was kept; `now` is the host's clock, `elapsed` the time since the rule began.
  /// Entries of no use any more, or of other columns than the rule has now, are among the
  /// ``changes()``.
  /// - Parameter isComplete: every row that has come since will come again, so that nothing need be
  ///   guessed.
  mutating func restore(
    _ saved: [RuleMemory.Saved], isComplete: Bool, now: Int64, elapsed: Int64
  ) {
    for saved in saved {
      var entry = Entry(
        key: saved.key, state: isComplete ? saved.state : saved.state.restored,
        row: saved.row.object ?? [:], time: saved.time, arrival: elapsed)
      entry.uid = saved.uid
      kept.insert(saved.key)
      if saved.key.count != rule.by.count || entry.state.isIdle(at: now, rule) {
        changed.insert(saved.key)
      } else {
        entries[saved.key] = entry
      }
    }
  }

  /// The changes since the last call.
  mutating func changes() -> Changes {
    var changes = Changes()
    for key in changed {
      if let entry = entries[key] {
        changes.saved.append(entry.saved)
        kept.insert(key)
      } else if kept.remove(key) != nil {
        changes.forgotten.append(key)
      }
    }
    changed = []
    return changes
  }

  /// Changes that couldn't be stored are tried again with the next ones.
  mutating func putBack(_ changes: Changes) {
    for saved in changes.saved { changed.insert(saved.key) }
    for key in changes.forgotten {
      changed.insert(key)
      kept.insert(key)
    }
  }

  /// Takes a row; `elapsed` is the time since the rule began.
  mutating func take(
    _ row: JSONObject, holds: Bool, at time: Int64, elapsed: Int64
  ) -> Firing? {
    let key = rule.by.map { row.field($0) ?? .null }
    if entries[key] == nil {
      // Most keys of most queries never meet the condition.
      guard holds else { return nil }
      if entries.count >= Self.most { forget(at: time) }
    }
    var entry = entries[key] ?? Entry(key: key, arrival: elapsed)
    let change = entry.state.take(holds, at: time, rule)
    entry.arrival = elapsed
    entry.time = time
    if holds { entry.row = row }
    return settle(entry, change)
  }

  /// What is over because there has been no row for too long; `elapsed` is the time since the rule
  /// began.
  mutating func endQuiet(elapsed: Int64) -> [Firing] {
    let quiet = entries.values.filter {
      elapsed &- $0.arrival >= rule.silence && $0.state.since != nil
    }
    return quiet.compactMap { entry in
      var entry = entry
      let passed = max(elapsed &- entry.arrival, 0)
      let (time, isTooLate) = entry.time.addingReportingOverflow(passed)
      entry.time = isTooLate ? .max : time
      let change = entry.state.end(rule)
      return settle(entry, change)
    }
  }

  private mutating func settle(_ entry: Entry, _ change: RuleState.Change?) -> Firing? {
    var next = entry
    if entry.state.since == nil { next.uid = EventID.random() }
    changed.insert(entry.key)
    entries[entry.key] = entry.state.isIdle(at: entry.time, rule) ? nil : next
    return change.map {
      Firing(change: $0, key: entry.key, row: entry.row, time: entry.time, uid: entry.uid)
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
      changed.insert(entry.key)
    }
  }
}
