internal import AgentJSON
internal import AgentStore
internal import AgentSystem

/// Cutting off the beginning.
extension AuditLog {
  /// Lines are cut off by their age when the oldest is a day older than it may be. Rationale: each
  /// cut is a line of its own, and a line a day is little.
  private static let slack: Int64 = 86_400_000
  /// How many lines are looked at, and removed, at a time: other writes wait no longer.
  private static let batch = 1000
  /// How many are cut off in one go; the rest follows with the next.
  private static let most = 100_000

  /// Removes the oldest lines, as far as a rule says, and writes a line that has the number and the
  /// digest of the last one that is gone: so the chain can still be checked from there on.
  /// - Returns: how many lines are gone.
  func trim(_ retention: AuditRetention) async throws -> Int64 {
    let (cut, first, last) = try await store.read {
      (try $0.audit.cut(), try $0.audit.first(), try $0.audit.last())
    }
    guard let first, let last else { return 0 }
    let bytes = try await bytes(from: first.number, through: last.number)
    let moment = now()
    let isOld = first.timestamp < moment.subtracting(retention.age).subtracting(Self.slack)
    let isLarge = bytes > retention.bytes
    guard isOld || isLarge else { return 0 }
    // Down to nine tenths, so that it isn't to be done again with the next line.
    var excess = isLarge ? bytes.subtracting(retention.bytes).adding(retention.bytes / 10) : 0
    var end = AuditCut(number: cut?.number ?? 0, hash: cut?.hash ?? [])
    let begin = end.number
    while end.number.subtracting(begin) < Self.most {
      let after = end.number
      let page = try await store.read { try $0.audit.entries(after: after, limit: Self.batch) }
      let gone = page.prefix { line in
        let goes = excess > 0 || line.timestamp < moment.subtracting(retention.age)
        excess = excess.subtracting(line.size)
        return goes
      }
      if let last = gone.last { end = AuditCut(number: last.number, hash: last.hash) }
      if gone.count < page.count || page.count < Self.batch { break }
    }
    guard end.number > begin else { return 0 }
    let lines = end.number.subtracting(begin)
    try await cutOff(through: end, lines: lines)
    return lines
  }

  /// About how many bytes lines have; a part at a time, so that no look takes long.
  private func bytes(from first: Int64, through last: Int64) async throws -> Int64 {
    let part: Int64 = 10_000
    var (bytes, done) = (Int64(0), max(first, 1).subtracting(1))
    while done < last {
      try Task.checkCancellation()
      let (begin, end) = (done, done.adding(min(part, last.subtracting(done))))
      bytes = bytes.adding(
        try await store.read { try $0.audit.bytes(after: begin, through: end) })
      done = end
    }
    return bytes
  }

  /// The line first: what it says is true of what remains, whenever the host ends.
  private func cutOff(through end: AuditCut, lines: Int64) async throws {
    let moment = now()
    let host = Principal(kind: .local, name: "agent", scopes: [])
    let entry = Entry(
      actor: host, address: "agent", action: AuditChain.cutting, target: "1 to \(end.number)",
      outcome: "done", detail: end.detail)
    try await store.write(.savepoint) { transaction in
      // Somebody must be left to say it.
      guard try (transaction.audit.last()?.number ?? 0) >= end.number else { return }
      try transaction.audit.append(Self.line(entry, at: moment, after: transaction.audit.last()))
      try transaction.audit.cut(through: end)
    }
    while try await store.write(.savepoint, { try $0.audit.removeCut(limit: Self.batch) }) > 0 {}
  }
}

extension AuditRow {
  /// About how many bytes it takes in the database.
  var size: Int64 {
    Int64(
      actor.utf8.count + address.utf8.count + action.utf8.count + target.utf8.count
        + outcome.utf8.count + detail.count + hash.count + AuditRow.overhead)
  }
}
