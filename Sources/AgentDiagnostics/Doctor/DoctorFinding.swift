package import AgentJSON

/// A finding of `agent doctor`.
package struct DoctorFinding: Sendable, Hashable {
  package enum Verdict: String, Sendable {
    /// As it should be.
    case ok
    /// It works, and something about it isn't as it should be or soon won't be.
    case warning
    /// Something doesn't work.
    case problem
  }

  /// The thing that was checked: `settings`, `module:logs`, `disk`.
  package var name: String
  package var verdict: Verdict
  package var sentence: String
  package var remedy: String?

  /// A finding.
  package init(_ name: String, _ verdict: Verdict, sentence: String, remedy: String? = nil) {
    self.name = name
    self.verdict = verdict
    self.sentence = sentence
    self.remedy = remedy
  }

  /// The finding as `--json` prints it.
  package var json: JSONValue {
    [
      "name": .string(name), "verdict": .string(verdict.rawValue), "sentence": .string(sentence),
      "remedy": remedy.map { .string($0) } ?? .null,
    ]
  }
}

extension [DoctorFinding] {
  /// These, or that all is well when there are none.
  func or(_ name: String, _ sentence: String) -> [DoctorFinding] {
    isEmpty ? [DoctorFinding(name, .ok, sentence: sentence)] : self
  }
}
