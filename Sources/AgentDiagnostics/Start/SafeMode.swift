package import AgentJSON
internal import AgentWorkers

/// The reason for safe mode. In this mode, the host answers its API and the command line, and runs
/// no module, task, schedule or notification.
package struct SafeMode: Sendable, Hashable {
  /// A sentence with the person's request, or the number of failed starts.
  package let reason: String
  /// The steps at which the earlier starts failed, the latest first.
  package let causes: [String]

  /// A person requested safe mode.
  package static let asked = SafeMode(
    reason: "It was started in safe mode by \"--safe\".", causes: [])

  private init(reason: String, causes: [String]) {
    (self.reason, self.causes) = (reason, causes)
  }

  /// Decides by the record of starts. Returns `nil` if the host can start as usual.
  package init?(_ record: StartRecord, after limit: Int) {
    guard record.isLoop(after: limit) else { return nil }
    reason =
      "The last \(record.failed.count) starts ended within \(StartRecord.period) s without "
      + "a request."
    causes = record.failed.reversed().map(\.sentence)
  }

  /// The reason and the last cause, as sentences.
  package var sentence: String {
    let last = causes.first.map { " The last: \($0)" } ?? ""
    return "Safe mode: no module, task, schedule or notification runs. \(reason)\(last)"
  }

  /// The remedy, as a sentence.
  package static let remedy =
    "Repair or disable the causes, then run: agent restart. \"agent logs agent\" says more."

  /// The state in the form of the API.
  package var json: JSONValue {
    ["reason": .string(reason), "causes": .array(causes.map { .string($0) })]
  }
}
