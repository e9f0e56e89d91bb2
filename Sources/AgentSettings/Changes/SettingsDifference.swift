public import AgentJSON
import AgentModules

/// The differences between two settings: which workers start, stop or restart, and why.
public struct SettingsDifference: Sendable {
  /// The host's reaction to a difference.
  public enum Action: String, Sendable, Hashable {
    /// Starts a new worker.
    case start
    /// Stops a worker that isn't wanted any more.
    case stop
    /// Replaces a worker by a new one.
    case restart
    /// Uses the new value from now on. No worker ends.
    case apply
    /// Does nothing until the host itself is restarted.
    case restartHost = "restart_host"
  }

  /// One act and its reason.
  public struct Change: Sendable, Hashable {
    /// The name of a process, `module:NAME` for a module's service worker, or a section of the
    /// settings.
    public let name: String
    public let action: Action
    /// The reason as a sentence. It never contains values, because they may be secret.
    public let reason: String

    /// The change as JSON: `name`, `action` and `reason`.
    public var json: JSONValue {
      [
        "name": .string(name), "action": .string(action.rawValue), "reason": .string(reason),
      ]
    }
  }

  /// All changes, processes first.
  public let changes: [Change]

  /// Whether there are no differences.
  public var isEmpty: Bool { changes.isEmpty }

  /// Returns the names of the workers that an action applies to.
  public func workers(_ action: Action) -> [String] {
    changes.filter { $0.action == action }.map(\.name)
  }

  /// Compares two settings. Both are valid.
  public init(old: AgentSettings, new: AgentSettings) {
    var comparison = SettingsComparison(old: old, new: new)
    comparison.compareProcesses()
    comparison.compareModules()
    comparison.compareHost()
    self.changes = comparison.changes
  }
}
