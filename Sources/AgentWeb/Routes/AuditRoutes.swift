internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import Hummingbird

/// Who changed what. There is no route that changes it.
struct AuditRoutes {
  let host: HostApplication

  private static let line = Shape.object(
    "AuditLine",
    required: ["number", "timestamp", "actor", "address", "action", "target", "outcome", "hash"],
    [
      "number": ["type": "integer"], "timestamp": ["type": "integer"],
      "actor": ["type": "string"], "address": ["type": "string"], "action": ["type": "string"],
      "target": ["type": "string"], "outcome": ["type": "string"], "detail": [:],
      "hash": ["type": "string", "description": "the digest of this line and of those before it"],
    ])

  private static let page = Shape.object(
    "AuditPage", required: ["entries", "next"],
    [
      "entries": ["type": "array", "items": line.reference],
      "next": ["type": ["integer", "null"], "description": "before which the next page begins"],
    ], uses: [line])

  private static let report = Shape.object(
    "AuditReport", required: ["ok", "lines", "cut", "head", "line", "reason"],
    [
      "ok": ["type": "boolean"], "lines": ["type": "integer"],
      "cut": ["type": "integer", "description": "how many lines before them were cut off by age"],
      "head": ["type": ["string", "null"], "description": "the digest of the last line"],
      "line": ["type": ["integer", "null"], "description": "the first that isn't as written"],
      "reason": ["type": ["string", "null"]],
    ])

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "audit", "list_audit", "The audit log, the newest line first.", tag: .access,
        for: .administer,
        parameters: [
          .query("before", .integer(1...Int.max), "only lines before this number"),
          .query("limit", .integer(1...AccessControl.longestAuditPage), "how many; 100"),
          .query("actor", .text, "only what this one did, such as person:ada"),
          .query("action", .text, "only this, such as stop_process"),
          .query("target", .text, "only what was done to this, such as the name of a process"),
          .query("outcome", .text, "only what ended so: done, or the code of a refusal"),
          .query("since", .integer(0...Int.max), "only from this moment on, Unix milliseconds"),
          .query("until", .integer(0...Int.max), "only before this moment, Unix milliseconds"),
        ], replies: [.ok(Self.page)]
      ) { [host] call in
        var filter = AuditFilter()
        filter.before = call.integer("before").map { Int64($0) }
        filter.actor = call.text("actor")
        filter.action = call.text("action")
        filter.target = call.text("target")
        filter.outcome = call.text("outcome")
        filter.since = call.integer("since").map { Int64($0) }
        filter.until = call.integer("until").map { Int64($0) }
        return Response(
          try await host.access.audit(filter, limit: call.integer("limit") ?? 100))
      },
      APIRoute(
        .get, "audit/verify", "verify_audit", "Checks every line of the audit log.", tag: .access,
        for: .administer,
        parameters: [.query("head", .text, "a digest that an earlier check has given")],
        replies: [.ok(Self.report)], options: .slow
      ) { [host] call in Response(try await host.access.verifyAudit(head: call.text("head"))) },
    ]
  }
}
