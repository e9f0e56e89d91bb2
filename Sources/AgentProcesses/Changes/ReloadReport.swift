package import AgentJSON

/// The changes of a reload that was made or simulated.
package struct ReloadReport: Sendable, Hashable {
  /// A process or service worker that the change affects.
  package struct Change: Sendable, Hashable {
    /// The effect of a change on a process.
    package enum Action: String, Sendable {
      case start, stop, restart
      /// No process ends. The host uses the new value from now on.
      case apply
      /// The change takes effect at the next start of the host, because code inside the host can't
      /// be replaced.
      case restartNeeded = "restart_needed"
    }
    /// The process or service worker.
    package var process: String
    package var action: Action
    /// The reason, in words.
    package var reason: String
    /// The reason why the change failed. The process then continues unchanged.
    package var problem: String?

    package init(process: String, action: Action, reason: String, problem: String? = nil) {
      self.process = process
      self.action = action
      self.reason = reason
      self.problem = problem
    }

    /// The change in the form of the API.
    package var json: JSONValue {
      var object: JSONObject = [
        "process": .string(process), "action": .string(action.rawValue),
        "reason": .string(reason),
      ]
      if let problem { object["problem"] = .string(problem) }
      return .object(object)
    }
  }

  /// Whether the changes were only simulated.
  package var isDryRun: Bool
  /// The changes, in the order in which they are made.
  package var changes: [Change]
  /// The warnings about the new settings, as `agent validate` prints them.
  package var warnings: [String]

  package init(isDryRun: Bool, changes: [Change], warnings: [String]) {
    self.isDryRun = isDryRun
    self.changes = changes
    self.warnings = warnings
  }

  /// The report in the form of the API.
  package var json: JSONValue {
    [
      "dry_run": .bool(isDryRun), "changes": .array(changes.map(\.json)),
      "warnings": .array(warnings.map { .string($0) }),
    ]
  }
}
