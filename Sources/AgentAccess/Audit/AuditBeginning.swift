internal import AgentStore
internal import AgentSystem

/// The beginning of the audit log, at one moment: where it was cut off, and whether the lines up to
/// there that aren't removed yet are those that were written.
///
/// The cut and the lines are read together. A cut between two reads would look like missing lines.
struct AuditBeginning: Sendable {
  let cut: AuditCut?
  /// A line that doesn't belong there. Nil means that there is none.
  let fault: AuditLog.Report.Break?

  /// The number of lines that are in memory at once.
  private static let page = 1000

  init(_ log: any AuditReader) throws {
    let cut = try log.cut()
    self.cut = cut
    guard let first = try log.first(), first.number <= cut?.number ?? 0 else {
      fault = nil
      return
    }
    fault =
      try first.number <= 0 ? Self.inserted(first.number) : Self.fault(from: first, in: log, cut)
  }

  /// Returns the first line up to the cut that wasn't left by a removal. Lines are removed from the
  /// oldest on, so those that are left have no gap and end with the cut's digest.
  ///
  /// The digest of the first one depends on a removed line, so it can't be checked. It isn't shown
  /// either.
  private static func fault(
    from first: AuditRow, in log: any AuditReader, _ cut: AuditCut?
  ) throws -> AuditLog.Report.Break? {
    guard let cut else { return nil }
    var last = first
    while last.number < cut.number {
      let rows = try log.entries(after: last.number, limit: page).prefix { $0.number <= cut.number }
      for row in rows {
        guard row.fault(after: last.hash, number: last.number.adding(1)) == nil else {
          return inserted(last.number)
        }
        last = row
      }
      if rows.isEmpty { return inserted(last.number) }
    }
    return last.hash == cut.hash ? nil : inserted(last.number)
  }

  private static func inserted(_ number: Int64) -> AuditLog.Report.Break {
    .init(number: number, reason: "Line \(number) was inserted before the first one.")
  }
}
