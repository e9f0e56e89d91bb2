internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import Hummingbird

/// Reads the audit log. No route changes it.
struct AuditRoutes {
  let host: HostApplication

  private static let line = Shape.object(
    "AuditLine",
    required: ["number", "timestamp", "actor", "address", "action", "target", "outcome", "hash"],
    [
      "number": ["type": "integer"], "timestamp": ["type": "integer"],
      "actor": ["type": "string"], "address": ["type": "string"], "action": ["type": "string"],
      "target": ["type": "string"], "outcome": ["type": "string"], "detail": [:],
      "hash": ["type": "string", "description": "digest of this line and all earlier lines"],
    ])

  private static let page = Shape.object(
    "AuditPage", required: ["entries", "next"],
    [
      "entries": ["type": "array", "items": line.reference],
      "next": [
        "type": ["integer", "null"], "description": "value of \"before\" for the next page",
      ],
    ], uses: [line])

  private static let report = Shape.object(
    "AuditReport", required: ["ok", "lines", "cut", "head", "line", "reason"],
    [
      "ok": ["type": "boolean"], "lines": ["type": "integer"],
      "cut": [
        "type": "integer",
        "description": "number of earlier lines that were removed because of their age",
      ],
      "head": ["type": ["string", "null"], "description": "digest of the last line"],
      "line": [
        "type": ["integer", "null"], "description": "number of the first line that was altered",
      ],
      "reason": ["type": ["string", "null"]],
    ])

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "audit", operation: "list_audit", summary: "Lists the audit log, newest line first.",
        tag: .access,
        for: .administer,
        parameters: [
          .query("before", .integer(1...Int.max), summary: "only lines with a number below this"),
          .query(
            "limit", .integer(1...AccessControl.longestAuditPage),
            summary: "maximum number of lines; 100 by default"),
          .query("actor", .text, summary: "only actions of this actor, such as person:ada"),
          .query("action", .text, summary: "only this action, such as stop_process"),
          .query(
            "target", .text, summary: "only actions on this target, such as the name of a process"),
          .query("outcome", .text, summary: "only this outcome: done, or the code of a refusal"),
          .query(
            "since", .integer(0...Int.max),
            summary: "only lines from this time on, in Unix milliseconds"),
          .query(
            "until", .integer(0...Int.max),
            summary: "only lines before this time, in Unix milliseconds"),
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
        .get, "audit/verify", operation: "verify_audit",
        summary: "Checks every line of the audit log.", tag: .access,
        for: .administer,
        parameters: [.query("head", .text, summary: "the digest that an earlier check returned")],
        replies: [.ok(Self.report)], options: .slow
      ) { [host] call in Response(try await host.access.verifyAudit(head: call.text("head"))) },
    ]
  }
}
