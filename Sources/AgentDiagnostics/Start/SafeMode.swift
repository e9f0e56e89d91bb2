package import AgentJSON
package import AgentModules
internal import AgentWorkers

/// The reason for safe mode. In this mode, the host answers its API and the command line, and runs
/// no module, task, schedule or notification.
package struct SafeMode: Sendable, Hashable {
  /// A sentence with the person's request, or the number of failed starts.
  package let reason: String
  /// The errors of the settings, and the steps at which the earlier starts failed, the latest first.
  package let causes: [String]
  /// The largest number of errors that are shown.
  private static let maxErrors = 10

  /// A person requested safe mode.
  package static let asked = SafeMode(
    reason: "It was started in safe mode by \"--safe\".", causes: [])

  private init(reason: String, causes: [String]) {
    (self.reason, self.causes) = (reason, causes)
  }

  /// Decides by the record of starts. Returns `nil` if the host can start as usual.
  /// - Parameter settingsAreWrong: whether the settings have errors now.
  package init?(_ record: StartRecord, after limit: Int, settingsAreWrong: Bool = false) {
    guard record.isLoop(after: limit, settingsAreWrong: settingsAreWrong) else { return nil }
    reason =
      "The last \(record.failed.count) starts ended within \(StartRecord.period) s without "
      + "a request."
    causes = record.failed.reversed().map(\.sentence)
  }

  /// Returns the same mode with the errors of the settings as the first causes.
  package func naming(_ problems: [Problem]) -> SafeMode {
    let errors = problems.filter { $0.severity == .error }.map(\.description)
    guard !errors.isEmpty else { return self }
    var shown = Array(errors.prefix(Self.maxErrors))
    if errors.count > shown.count {
      shown.append("There are \(errors.count - shown.count) more errors in the settings.")
    }
    return SafeMode(
      reason: "\(reason) The settings have errors and are used as far as they have none.",
      causes: shown + causes)
  }

  /// Returns the same mode for a host that works without its settings.
  /// - Parameter why: why the settings aren't read, as the end of a sentence.
  package func withoutSettings(because why: String) -> SafeMode {
    SafeMode(reason: "\(reason) The settings aren't read, because \(why).", causes: causes)
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
