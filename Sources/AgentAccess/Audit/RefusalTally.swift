internal import AgentJSON
internal import AgentSystem

/// Counts equal refusals within a minute. The first is recorded at once. The others become one line
/// at the end of the minute.
struct RefusalTally {
  /// The properties that equal refusals share. The target isn't one of them, because a client could
  /// change it with each request.
  private struct Kind: Hashable {
    let actor: String
    let client: String
    let action: String
    let outcome: String
  }

  private struct Count {
    let begin: Int64
    var more = 0
    /// The latest refusal after the first.
    var latest: AuditLog.Entry

    /// The entry for the refusals after the first. Nil means that there are none.
    var line: AuditLog.Entry? {
      guard more > 0 else { return nil }
      var entry = latest
      entry.detail["count"] = JSONValue(more)
      entry.detail["since"] = JSONValue(begin)
      return entry
    }
  }

  /// How long equal refusals are counted together, in milliseconds.
  static let minute: Int64 = 60_000
  /// The maximum number of kinds at a time. When it is reached, all counts are recorded and the
  /// counting begins again.
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
