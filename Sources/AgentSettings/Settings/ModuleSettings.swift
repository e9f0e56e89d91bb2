public import AgentJSON
public import AgentModules

/// How an enabled module is run, and what of it is enabled besides processes.
public struct ModuleSettings: Sendable {
  /// Where its code runs.
  public enum Isolation: String, Sendable, Hashable {
    /// In workers.
    case worker
    /// In the host itself: trusted with everything.
    case host
  }

  /// What the module is.
  public let manifest: Manifest
  /// Where its code runs.
  public let isolation: Isolation
  /// For each of its workers, unless a process says otherwise.
  public let limits: WorkerLimits
  /// For each of its workers, unless a process says otherwise.
  public let sandbox: SandboxMode
  /// For each of its workers. They may hold secrets.
  public let environment: [String: String]
  /// The built-in types of tasks that its workers may create, and its bots do.
  public let taskTypes: [String]
  /// Its logic adapters, actions (functions too), notifiers, strategies and routes.
  public let contributions: [ContributionSettings]

  /// Those that the service worker loads.
  public var enabledContributions: [ContributionSettings] { contributions.filter(\.isEnabled) }
}

/// A contribution that isn't a process, as the settings have it.
public struct ContributionSettings: Sendable {
  /// Whether it is available.
  public enum State: Sendable, Hashable {
    case enabled
    /// `"enabled": false`.
    case disabled
    /// It needs settings and has none: the keys.
    case needsSettings([String])
  }

  /// What the module offers.
  public let contribution: Contribution
  /// Whether it is available.
  public let state: State
  /// With defaults and references filled in. It may hold secrets.
  public let settings: JSONValue

  /// Whether it is available.
  public var isEnabled: Bool { state == .enabled }
}
