package import AgentJSON

/// One thing that was looked at, and what came of it.
package struct CheckFinding: Sendable, Hashable {
  /// What came of it.
  package enum Outcome: String, Sendable {
    case ok
    case failed = "FAILED"
    /// It doesn't apply, or something before it had to work and didn't.
    case skipped
  }

  /// What came of it.
  package let outcome: Outcome
  /// What was looked at, such as `monitor "x": double STOP`.
  package let what: String
  /// What was seen; where it failed, also what to do. May be empty.
  package let detail: String

  package init(_ outcome: Outcome, _ what: String, detail: String = "") {
    self.outcome = outcome
    self.what = what
    self.detail = detail
  }

  /// The finding as a line: `FAILED   manifest: …`.
  package var line: String {
    let word = outcome.rawValue
    let padded = word + String(repeating: " ", count: max(0, 8 - word.count))
    return padded + " " + what + (detail.isEmpty ? "" : ": \(detail)")
  }

  /// The finding for programs.
  package var json: JSONValue {
    [
      "outcome": .string(outcome.rawValue.lowercased()), "what": .string(what),
      "detail": .string(detail),
    ]
  }
}

/// What `agent module check` found out about a module.
package struct CheckReport: Sendable, Hashable {
  /// The module's name; its folder's path when the manifest can't be read.
  package let module: String
  /// In the order in which it was looked at.
  package let findings: [CheckFinding]

  package init(module: String, findings: [CheckFinding]) {
    self.module = module
    self.findings = findings
  }

  /// Whether nothing failed.
  package var isPassed: Bool { !findings.contains { $0.outcome == .failed } }

  /// How many findings have an outcome.
  package func count(_ outcome: CheckFinding.Outcome) -> Int {
    findings.count { $0.outcome == outcome }
  }

  /// The report for programs.
  package var json: JSONValue {
    [
      "module": .string(module), "passed": .bool(isPassed),
      "checks": .array(findings.map(\.json)),
    ]
  }
}
