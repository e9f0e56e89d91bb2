public import AgentJSON
public import AgentModules

/// An entry of `processes`: a datasource or monitor with a worker of its own.
public struct ProcessSettings: Sendable {
  /// When a worker that has ended is started again.
  public enum Restart: String, Sendable, Hashable {
    /// Always.
    case permanent
    /// After a failure.
    case transient
    /// Never.
    case temporary
  }

  /// How a changed library takes over.
  public enum Reload: String, Sendable, Hashable {
    /// The new worker starts when the old one has stopped.
    case exclusive
    /// Both may run for a moment.
    case overlap
  }

  /// Its name, unique in the agent.
  public let name: String
  /// The key in the settings: the name, but for an instance of a pool.
  public let key: String
  /// The pool whose instance it is, and which starts and stops it; nil for none.
  public let pool: String?
  /// Its type as the settings write it.
  public let type: String
  /// The module that offers it.
  public let module: Manifest
  /// What the module offers.
  public let contribution: Contribution
  /// Whether the agent runs it.
  public let enabled: Bool
  /// A note for people; may be empty.
  public let description: String
  /// What the module gets: the entry without the host's keys, with defaults and references filled
  /// in. It may hold secrets.
  public let settings: JSONValue
  /// Variables for its worker, the module's and its own. They may hold secrets.
  public let environment: [String: String]
  /// Its limits, over the module's.
  public let limits: WorkerLimits
  /// When it is started again.
  public let restart: Restart
  /// How a changed library takes over.
  public let reload: Reload
  /// Its own, or the module's.
  public let sandbox: SandboxMode
  /// Where the settings declare it.
  public var place: JSONPlace? { source.place(of: JSONPointer(tokens: ["processes", key])) }

  let source: SourceFile

  /// The same as an instance of a pool, which the pool starts when there is need.
  func instance(_ name: String, of pool: String) -> ProcessSettings {
    ProcessSettings(
      name: name, key: key, pool: pool, type: type, module: module, contribution: contribution,
      enabled: false, description: description, settings: settings, environment: environment,
      limits: limits, restart: restart, reload: reload, sandbox: sandbox, source: source)
  }
}
