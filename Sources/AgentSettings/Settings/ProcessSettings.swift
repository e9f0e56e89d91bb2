public import AgentJSON
public import AgentModules

/// An entry of `processes`: a datasource or monitor with a worker of its own.
public struct ProcessSettings: Sendable {
  /// When a worker is restarted after its end.
  public enum Restart: String, Sendable, Hashable {
    case permanent
    /// Only after a failure.
    case transient
    case temporary
  }

  /// How a new version of a library replaces the old one.
  public enum Reload: String, Sendable, Hashable {
    /// The new worker starts after the old one has stopped.
    case exclusive
    /// The old and the new worker may run at the same time for a moment.
    case overlap
  }

  /// The name, unique in the agent.
  public let name: String
  /// The key in the settings. It is the name, except for an instance of a pool.
  public let key: String
  /// The pool that starts and stops this instance. Nil means that the process isn't an instance.
  public let pool: String?
  /// The type as the settings write it.
  public let type: String
  public let module: Manifest
  public let contribution: Contribution
  public let enabled: Bool
  /// A description for people. It may be empty.
  public let description: String
  /// The settings that the module gets: the entry without the host's keys, with defaults and
  /// references filled in. They may hold secrets.
  public let settings: JSONValue
  /// The worker's variables: those of the module, and those of the process, which win. They may
  /// hold secrets.
  public let environment: [String: String]
  /// The worker's limits. They win over the module's limits.
  public let limits: WorkerLimits
  public let restart: Restart
  public let reload: Reload
  /// The process's own sandbox mode, or the module's.
  public let sandbox: SandboxMode
  /// The place of the process in the settings file.
  public var place: JSONPlace? { source.place(of: JSONPointer(tokens: ["processes", key])) }

  let source: SourceFile

  /// Returns these settings for an instance of a pool. The pool starts the instance when it needs
  /// it.
  func instance(_ name: String, of pool: String) -> ProcessSettings {
    ProcessSettings(
      name: name, key: key, pool: pool, type: type, module: module, contribution: contribution,
      enabled: false, description: description, settings: settings, environment: environment,
      limits: limits, restart: restart, reload: reload, sandbox: sandbox, source: source)
  }
}
