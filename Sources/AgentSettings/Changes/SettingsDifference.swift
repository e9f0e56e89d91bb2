public import AgentJSON
import AgentModules

/// What changes between two settings: which workers start, stop or restart, and why.
public struct SettingsDifference: Sendable {
  /// What has to happen.
  public enum Action: String, Sendable, Hashable {
    /// A worker that wasn't there.
    case start
    /// A worker that isn't wanted any more.
    case stop
    /// A new worker in place of the old one.
    case restart
    /// Nothing ends: the host goes by the new value from now on.
    case apply
    /// It takes effect when the host itself is started again.
    case restartHost = "restart_host"
  }

  /// One thing that has to happen.
  public struct Change: Sendable, Hashable {
    /// A process's name, `module:NAME` for a module's service worker, or a section of the settings.
    public let name: String
    /// What has to happen.
    public let action: Action
    /// Why, in a sentence, without values: they may be secret.
    public let reason: String

    /// The same for machines.
    public var json: JSONValue {
      [
        "name": .string(name), "action": .string(action.rawValue), "reason": .string(reason),
      ]
    }
  }

  /// What has to happen, processes first.
  public let changes: [Change]

  /// Whether nothing has to happen.
  public var isEmpty: Bool { changes.isEmpty }

  /// Those that end or start workers.
  public func workers(_ action: Action) -> [String] {
    changes.filter { $0.action == action }.map(\.name)
  }

  /// Compares settings that are both in order.
  public init(old: AgentSettings, new: AgentSettings) {
    var comparison = SettingsComparison(old: old, new: new)
    comparison.compareProcesses()
    comparison.compareModules()
    comparison.compareHost()
    self.changes = comparison.changes
  }
}
