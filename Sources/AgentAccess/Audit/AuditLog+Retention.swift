internal import AgentJSON
internal import AgentStore
internal import AgentSystem

/// Removes the oldest lines.
extension AuditLog {
  /// Lines are removed by age when the oldest is a day older than its limit. Rationale: each cut
  /// adds a line of its own, and one line a day is little.
  private static let slack: Int64 = 86_400_000
  /// The number of lines that one read or write handles, so that other writes don't wait long.
  private static let batch = 1000
  /// The maximum number of lines that one call removes. The next call removes more.
  private static let most = 100_000

  /// Removes the oldest lines according to a rule. First it writes a line with the number and the
  /// digest of the last removed line. The chain can be checked from there on.
  /// - Parameter trustsClock: whether ages may be computed by the clock. Otherwise only lines beyond
  ///   the size are removed: a clock that is ten years ahead must not remove the whole log.
  /// - Returns: the number of removed lines.
  func trim(_ retention: AuditRetention, trustsClock: Bool = true) async throws -> Int64 {
    let stored = try await endsOfLog()
    guard let first = stored.first, let last = stored.last else { return 0 }
    let bytes = try await size.bytes(from: first.number, through: last.number, in: store)
    // Lines before this moment are too old.
    let oldest = trustsClock ? now().subtracting(retention.age) : .min
    let isOld = first.timestamp < oldest.subtracting(Self.slack)
    let isLarge = bytes > retention.bytes
    guard isOld || isLarge else { return 0 }
    // Nine tenths of the limit stay. Otherwise the next line would cause the next cut.
    var excess = isLarge ? bytes.subtracting(retention.bytes).adding(retention.bytes / 10) : 0
    var end = stored.cut ?? AuditCut(number: 0, hash: [])
    let begin = end.number
    var removed: Int64 = 0
    while end.number.subtracting(begin) < Self.most {
      let after = end.number
      let page = try await store.read { try $0.audit.entries(after: after, limit: Self.batch) }
      let gone = page.prefix { line in
        let goes = excess > 0 || line.timestamp < oldest
        excess = excess.subtracting(line.size)
        return goes
      }
      removed = gone.reduce(removed) { $0.adding($1.size) }
      if let last = gone.last { end = AuditCut(number: last.number, hash: last.hash) }
      if gone.count < page.count || page.count < Self.batch { break }
    }
    guard end.number > begin else { return 0 }
    let lines = end.number.subtracting(begin)
    try await cutOff(through: end, lines: lines)
    size.remove(through: end.number, bytes: removed)
    return lines
  }

  /// Where the log begins and ends.
  private struct Ends: Sendable {
    let cut: AuditCut?
    let first: AuditRow?
    let last: AuditRow?

    init(_ log: any AuditReader) throws {
      (cut, first) = (try log.cut(), try log.first())
      last = try log.last()
    }

    /// Whether lines up to the cut are still there.
    var isCutUnfinished: Bool { first.map { $0.number <= cut?.number ?? 0 } ?? false }
  }

  /// Returns where the log begins and ends, without the lines that a host has cut off and not
  /// removed, because it was killed. Their bytes and their age would cut off further lines.
  private func endsOfLog() async throws -> Ends {
    let ends = try await store.read { try Ends($0.audit) }
    guard ends.isCutUnfinished else { return ends }
    try await removeCutLines()
    return try await store.read { try Ends($0.audit) }
  }

  /// Writes the line about the cut before it removes lines. The line is then true of the remaining
  /// lines even if the host ends in between.
  private func cutOff(through end: AuditCut, lines: Int64) async throws {
    let moment = now()
    let host = Principal(kind: .local, name: "agent", scopes: [])
    let entry = Entry(
      actor: host, address: "agent", action: AuditChain.cutting, target: "1 to \(end.number)",
      outcome: "done", detail: end.detail)
    try await store.write(.savepoint) { transaction in
      // The line must follow the removed lines. If the log no longer reaches them, nothing is cut.
      guard try (transaction.audit.last()?.number ?? 0) >= end.number else { return }
      try transaction.audit.append(Self.line(entry, at: moment, after: transaction.audit.last()))
      try transaction.audit.cut(through: end)
    }
    try await removeCutLines()
  }

  private func removeCutLines() async throws {
    while try await store.write(.savepoint, { try $0.audit.removeCut(limit: Self.batch) }) > 0 {}
  }
}

extension AuditRow {
  /// The approximate size in the database, in bytes.
  var size: Int64 {
    Int64(
      actor.utf8.count + address.utf8.count + action.utf8.count + target.utf8.count
        + outcome.utf8.count + detail.count + hash.count + AuditRow.overhead)
  }
}
