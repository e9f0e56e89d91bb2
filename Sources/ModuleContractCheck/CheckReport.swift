package import AgentJSON

/// The result of one test.
package struct CheckFinding: Sendable, Hashable {
  /// The outcomes of a test.
  package enum Outcome: String, Sendable {
    case ok
    case failed = "FAILED"
    /// The test doesn't apply, or an earlier test that it depends on failed.
    case skipped
  }

  /// The outcome.
  package let outcome: Outcome
  /// The name of the test, such as `monitor "x": double STOP`.
  package let what: String
  /// The observation. After a failure, also the advice for the author. May be empty.
  package let detail: String

  package init(_ outcome: Outcome, _ what: String, detail: String = "") {
    self.outcome = outcome
    self.what = what
    self.detail = detail
  }

  /// The finding as a line of text: `FAILED   manifest: …`. Further lines are indented, because a
  /// module may have written them, and they must not imitate a finding.
  package var line: String {
    let word = outcome.rawValue
    let padded = word + String(repeating: " ", count: max(0, 8 - word.count))
    // "\r\n" is one character, so a search for "\n" doesn't find it.
    let lines = detail.replacing("\r\n", with: "\n").replacing("\n", with: "\n  ")
    return padded + " " + what + (lines.isEmpty ? "" : ": \(lines)")
  }

  /// The finding as JSON.
  package var json: JSONValue {
    [
      "outcome": .string(outcome.rawValue.lowercased()), "what": .string(what),
      "detail": .string(detail),
    ]
  }
}

/// The result of `agent module check`.
package struct CheckReport: Sendable, Hashable {
  /// The module's name, or the path of its folder if the manifest can't be read.
  package let module: String
  /// The findings, in the order of the tests.
  package let findings: [CheckFinding]

  package init(module: String, findings: [CheckFinding]) {
    self.module = module
    self.findings = findings
  }

  /// Whether no test failed.
  package var isPassed: Bool { !findings.contains { $0.outcome == .failed } }

  /// Returns the number of findings with an outcome.
  package func count(_ outcome: CheckFinding.Outcome) -> Int {
    findings.count { $0.outcome == outcome }
  }

  /// The report as JSON.
  package var json: JSONValue {
    [
      "module": .string(module), "passed": .bool(isPassed),
      "checks": .array(findings.map(\.json)),
    ]
  }
}
