internal import AgentJSON
internal import AgentModules

/// What a host in safe mode uses of settings with errors.
extension AgentSettings {
  /// Returns the settings without modules, processes, tasks, bots, schedules and notifications, and
  /// with the defaults of each section that has an error.
  ///
  /// The API's port stays closed unless its section can be used. Its defaults might open it to
  /// programs that the settings keep out.
  /// - Parameter wrong: the sections with an error. Nil means that any section may have one.
  func reduced(without wrong: Set<String>?) -> AgentSettings {
    func isUsable(_ section: String) -> Bool { wrong.map { !$0.contains(section) } ?? false }
    var port = HTTPSettings()
    port.isEnabled = false
    return AgentSettings(
      folder: folder,
      agent: isUsable("agent") ? agent : Identity(name: folder.lastName, description: ""),
      processes: [], modules: [],
      supervision: isUsable("supervision") ? supervision : SupervisionSettings(),
      logging: isUsable("logging") ? logging : LoggingSettings(), events: EventSettings(),
      access: isUsable("access") ? access : AccessSettings(),
      notifications: NotificationSettings(), tasks: TaskSettings(), bots: BotSettings(),
      schedules: [], store: isUsable("store") ? store : StoreSettings(),
      http: isUsable("http") ? http : port, traces: nil, catalog: catalog,
      variables: variables, redactor: redactor)
  }

  /// The settings of a host in safe mode whose file can't be read.
  static func unread(_ folder: AgentFolder) -> AgentSettings {
    AgentSettings(
      folder: folder, agent: Identity(name: folder.lastName, description: ""), processes: [],
      modules: [], supervision: SupervisionSettings(), logging: LoggingSettings(),
      events: EventSettings(), access: AccessSettings(), notifications: NotificationSettings(),
      tasks: TaskSettings(), bots: BotSettings(), schedules: [], store: StoreSettings(),
      http: HTTPSettings(), traces: nil, catalog: ModuleCatalog(folder: folder.path, enabled: []),
      variables: EnvironmentTable(), redactor: .none
    ).reduced(without: nil)
  }
}

extension Array<Problem> {
  /// The sections of a settings file that have an error. Nil means that it isn't known which have
  /// one.
  func sectionsWithErrors(in file: String) -> Set<String>? {
    // A full list has left some out.
    guard count(where: { $0.severity == .error }) < [Problem].largest else { return nil }
    var sections: Set<String> = []
    for problem in self where problem.severity == .error && problem.file == file {
      let path = problem.path.prefix { $0 != "." && $0 != "[" }
      guard let section = problem.pointer?.tokens.first ?? (path.isEmpty ? nil : String(path))
      else { return nil }
      sections.insert(section)
    }
    return sections
  }
}
