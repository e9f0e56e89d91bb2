public import AgentJSON
internal import AgentStore
internal import AgentText

/// Reading the audit log. docs/access.md has the shapes.
extension AccessControl {
  /// The maximum number of lines in a page.
  public static let longestAuditPage = 1000
  /// The maximum number of lines that a page looks at. A filter that matches nothing would
  /// otherwise read the whole log, which may have 256 MiB, in one piece.
  static let maxLookedAuditLines = 10_000

  /// Returns a page, the newest line first: `entries` and `next`. The next page begins before
  /// `next`, which is null at the end. A page may have fewer lines than `limit`, or none, and yet be
  /// followed by another one.
  /// - Parameter limit: 1 to 1000.
  public func audit(
    _ filter: AuditFilter = AuditFilter(), limit: Int = 100
  ) async throws(AccessError) -> JSONValue {
    guard (1...Self.longestAuditPage).contains(limit) else {
      throw AccessError(.invalid, "limit must be a number from 1 to \(Self.longestAuditPage).")
    }
    var filter = filter.selection
    filter.look = Self.maxLookedAuditLines
    let selection = filter
    // One line more shows whether the page is the last one.
    let found = try await asked { try await $0.audit.page(selection, limit: limit + 1) }
    let shown = found.rows.prefix(limit)
    let next = found.rows.count > limit ? shown.last?.number : found.before
    return ["entries": .array(shown.map(\.json)), "next": next.map { JSONValue($0) } ?? .null]
  }

  /// Checks every line. Returns `ok`, `lines`, `cut` and `head`, and for the first wrong line
  /// `line` and `reason`.
  /// - Parameter head: a digest that was kept outside of the database.
  public func verifyAudit(head: String? = nil) async throws(AccessError) -> JSONValue {
    let report = try await asked { try await $0.audit.verify(head: head) }
    return [
      "ok": .bool(report.broken == nil), "lines": JSONValue(report.lines),
      "cut": JSONValue(report.cut),
      "head": report.head.map { .string($0) } ?? .null,
      "line": report.broken.map { JSONValue($0.number) } ?? .null,
      "reason": report.broken.map { .string($0.reason) } ?? .null,
    ]
  }
}

extension AuditRow {
  var json: JSONValue {
    [
      "number": JSONValue(number), "timestamp": JSONValue(timestamp), "actor": .string(actor),
      "address": .string(address), "action": .string(action), "target": .string(target),
      "outcome": .string(outcome), "detail": (try? JSONValue(parsing: detail)) ?? .null,
      "hash": .string(Hexadecimal.text(of: hash)),
    ]
  }
}
