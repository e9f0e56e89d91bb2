package import AgentJSON

/// The changes that a reload has made, or would make.
package struct ReloadReport: Sendable, Hashable {
  /// One process or service worker that the change touches.
  package struct Change: Sendable, Hashable {
    /// The effect of a change on a process.
    package enum Action: String, Sendable {
      case start, stop, restart
      /// Nothing ends: the host goes by the new value from now on.
      case apply
      /// It counts when the host itself is started again: code inside the host can't be swapped.
      case restartNeeded = "restart_needed"
    }
    /// The process or service worker.
    package var process: String
    package var action: Action
    /// Why, in words.
    package var reason: String
    /// Why it could not be done; the process goes on as it was.
    package var problem: String?

    package init(process: String, action: Action, reason: String, problem: String? = nil) {
      self.process = process
      self.action = action
      self.reason = reason
      self.problem = problem
    }

    /// The change as the API gives it.
    package var json: JSONValue {
      var object: JSONObject = [
        "process": .string(process), "action": .string(action.rawValue),
        "reason": .string(reason),
      ]
      if let problem { object["problem"] = .string(problem) }
      return .object(object)
    }
  }

  /// Whether this was only looked at.
  package var isDryRun: Bool
  /// The changes, in the order in which they are made.
  package var changes: [Change]
  /// Warnings about the new settings, as `agent validate` words them.
  package var warnings: [String]

  package init(isDryRun: Bool, changes: [Change], warnings: [String]) {
    self.isDryRun = isDryRun
    self.changes = changes
    self.warnings = warnings
  }

  /// The report as the API gives it.
  package var json: JSONValue {
    [
      "dry_run": .bool(isDryRun), "changes": .array(changes.map(\.json)),
      "warnings": .array(warnings.map { .string($0) }),
    ]
  }
}
