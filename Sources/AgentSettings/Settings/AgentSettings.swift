public import AgentModules

/// An agent's settings, checked and complete: what the runtime starts from.
public struct AgentSettings: Sendable {
  /// `agent`: the name and the description.
  public struct Identity: Sendable, Hashable {
    /// The name. The default is the folder's name.
    public let name: String
    /// A description for people. It may be empty.
    public let description: String
  }

  public let folder: AgentFolder
  /// The settings file's path.
  public var file: String { folder.settingsFile }
  public let agent: Identity
  /// All processes, enabled or not, in the settings' order.
  public let processes: [ProcessSettings]
  /// The enabled modules, in the settings' order.
  public let modules: [ModuleSettings]
  public let supervision: SupervisionSettings
  public let logging: LoggingSettings
  public let events: EventSettings
  public let access: AccessSettings
  public let notifications: NotificationSettings
  public let tasks: TaskSettings
  public let bots: BotSettings
  /// The schedules, sorted by name.
  public let schedules: [ScheduleSettings]
  public let store: StoreSettings
  public let http: HTTPSettings
  /// Where traces are sent. Nil means that none are sent.
  public let traces: TraceSettings?
  /// The contributions of the enabled modules.
  public let catalog: ModuleCatalog
  /// The variables of `.env` and of the host's environment.
  public let variables: EnvironmentTable
  /// Replaces every secret of these settings in a text.
  public let redactor: Redactor

  /// Returns the process of this name.
  public func process(_ name: String) -> ProcessSettings? { processes.first { $0.name == name } }

  /// Returns the enabled module of this name.
  public func module(_ name: String) -> ModuleSettings? {
    modules.first { $0.manifest.name == name }
  }
}
