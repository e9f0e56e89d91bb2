public import AgentModules

/// An agent's settings, checked and complete: what the runtime starts from.
public struct AgentSettings: Sendable {
  /// `agent`: who it is.
  public struct Identity: Sendable, Hashable {
    /// Its name; the folder's name where the settings give none.
    public let name: String
    /// A text for people. It may be empty.
    public let description: String
  }

  /// The agent's folder.
  public let folder: AgentFolder
  /// The settings file's path.
  public var file: String { folder.settingsFile }
  /// The agent's name and description.
  public let agent: Identity
  /// Its processes, enabled or not, in the settings' order.
  public let processes: [ProcessSettings]
  /// Its enabled modules, in the settings' order.
  public let modules: [ModuleSettings]
  /// When workers are restarted.
  public let supervision: SupervisionSettings
  /// What is logged.
  public let logging: LoggingSettings
  /// How much of the event log is kept.
  public let events: EventSettings
  public let access: AccessSettings
  public let notifications: NotificationSettings
  /// How tasks are done, and which types there are.
  public let tasks: TaskSettings
  /// How bots are kept and given tasks, and which this agent has itself.
  public let bots: BotSettings
  /// What is to be done when, by name.
  public let schedules: [ScheduleSettings]
  /// The size limit of the database.
  public let store: StoreSettings
  /// The API's port.
  public let http: HTTPSettings
  /// Where traces go; nil for nowhere.
  public let traces: TraceSettings?
  /// The enabled modules by what they offer.
  public let catalog: ModuleCatalog
  /// The variables of `.env` and of the host's own environment.
  public let variables: EnvironmentTable
  /// Knows every secret in these settings.
  public let redactor: Redactor

  /// The process of this name.
  public func process(_ name: String) -> ProcessSettings? { processes.first { $0.name == name } }

  /// The enabled module of this name.
  public func module(_ name: String) -> ModuleSettings? {
    modules.first { $0.manifest.name == name }
  }
}
