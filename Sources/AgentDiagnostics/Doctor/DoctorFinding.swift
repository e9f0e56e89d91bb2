package import AgentJSON

/// A finding of `agent doctor`.
package struct DoctorFinding: Sendable, Hashable {
  package enum Verdict: String, Sendable {
    /// The thing is in order.
    case ok
    /// The thing works, but isn't in order or soon won't be.
    case warning
    /// The thing doesn't work.
    case problem
  }

  /// The checked thing: `settings`, `module:logs`, `disk`.
  package var name: String
  package var verdict: Verdict
  package var sentence: String
  package var remedy: String?

  /// Creates a finding.
  package init(_ name: String, _ verdict: Verdict, sentence: String, remedy: String? = nil) {
    self.name = name
    self.verdict = verdict
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The finding in the form of `--json`.
  package var json: JSONValue {
    [
      "name": .string(name), "verdict": .string(verdict.rawValue), "sentence": .string(sentence),
      "remedy": remedy.map { .string($0) } ?? .null,
    ]
  }
}

extension [DoctorFinding] {
  /// Returns the findings, or a finding with `sentence` if there are none.
  func or(_ name: String, _ sentence: String) -> [DoctorFinding] {
    isEmpty ? [DoctorFinding(name, .ok, sentence: sentence)] : self
  }
}
