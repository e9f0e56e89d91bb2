internal import AgentJSON
internal import AgentSystem

/// Refusals that are alike within a minute: the first is written down at once, the others are counted
/// and become one line.
struct RefusalTally {
  /// What makes refusals alike. What they were about doesn't: somebody would think of another name
  /// each time.
  private struct Kind: Hashable {
    let actor: String
    let client: String
    let action: String
    let outcome: String
  }

  private struct Count {
    let begin: Int64
    var more = 0
    /// The latest of those that are counted.
    var latest: AuditLog.Entry

    /// The entry for the refusals after the first. Nil where there were none.
    var line: AuditLog.Entry? {
      guard more > 0 else { return nil }
      var entry = latest
      entry.detail["count"] = JSONValue(more)
      entry.detail["since"] = JSONValue(begin)
      return entry
    }
  }

  /// How long refusals are counted together, in milliseconds.
  static let minute: Int64 = 60_000
  /// How many kinds are counted at a time; beyond them all are written down, and it begins anew.
  static let most = 1000

  private var counts: [Kind: Count] = [:]

  /// Returns the audit entries that are due after this refusal.
  mutating func entries(for entry: AuditLog.Entry, now: Int64) -> [AuditLog.Entry] {
    guard entry.outcome != "done", entry.outcome != "replayed" else { return [entry] }
    let kind = Kind(
      actor: entry.actor.label, client: entry.client, action: entry.action,
      outcome: entry.outcome)
    if var count = counts[kind], (0..<Self.minute).contains(now.subtracting(count.begin)) {
      count.more += 1
      count.latest = entry
      counts[kind] = count
      return []
    }
    var entries = counts.removeValue(forKey: kind)?.line.map { [$0] } ?? []
    if counts.count >= Self.most { entries += end() }
    counts[kind] = Count(begin: now, latest: entry)
    return entries + [entry]
  }

  /// Returns the entries of the minutes that are over.
  mutating func over(now: Int64) -> [AuditLog.Entry] {
    let over = counts.filter { !(0..<Self.minute).contains(now.subtracting($0.value.begin)) }
    for kind in over.keys { counts[kind] = nil }
    return over.values.sorted { $0.begin < $1.begin }.compactMap(\.line)
  }

  /// Returns all entries and ends the counting.
  mutating func end() -> [AuditLog.Entry] {
    defer { counts = [:] }
    return counts.values.sorted { $0.begin < $1.begin }.compactMap(\.line)
  }
}
