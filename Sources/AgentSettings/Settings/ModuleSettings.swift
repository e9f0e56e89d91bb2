public import AgentJSON
public import AgentModules

/// The settings of an enabled module, without its processes.
public struct ModuleSettings: Sendable {
  /// Where the module's code runs.
  public enum Isolation: String, Sendable, Hashable {
    /// Each process has a worker. All other contributions share the service worker.
    case worker
    /// The host itself runs the code and trusts it with everything.
    case host
  }

  public let manifest: Manifest
  public let isolation: Isolation
  /// The limits of each of its workers. A process may replace them.
  public let limits: WorkerLimits
  /// The sandbox of each of its workers. A process may replace it.
  public let sandbox: SandboxMode
  /// The environment of each of its workers. It may hold secrets.
  public let environment: [String: String]
  /// The built-in types of tasks that its workers may create and its bots may do.
  public let taskTypes: [String]
  /// Its logic adapters, actions (also functions), notifiers, strategies and routes.
  public let contributions: [ContributionSettings]

  /// The contributions that the service worker loads.
  public var enabledContributions: [ContributionSettings] { contributions.filter(\.isEnabled) }
}

/// The settings of a contribution that isn't a process.
public struct ContributionSettings: Sendable {
  /// The availability of a contribution.
  public enum State: Sendable, Hashable {
    case enabled
    /// The settings say `"enabled": false`.
    case disabled
    /// These keys are required, and the settings don't have them.
    case needsSettings([String])
  }

  public let contribution: Contribution
  public let state: State
  /// The settings with defaults and references filled in. They may hold secrets.
  public let settings: JSONValue

  /// Whether the contribution is available.
  public var isEnabled: Bool { state == .enabled }
}
