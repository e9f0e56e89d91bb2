public import AgentJSON
public import JSONSchema

/// Something that a module offers, as its manifest declares it; shared by all that use it.
public final class Contribution: Sendable {
  public let kind: ContributionKind
  /// Unique in its module among processes and within its kind.
  public let name: String
  /// The name for people; the name itself when the manifest gives none.
  public let title: String
  /// One or two sentences; may be empty.
  public let description: String
  /// Valid settings (processes), a message that it answers (logic adapters), or an input.
  public let example: JSONValue?
  /// The schema of its settings, as written in the manifest.
  public let settings: JSONValue
  /// The same, closed against unknown keys and compiled.
  public let settingsSchema: Schema
  /// The schema of its input, if the manifest declares one; for a route, that of a JSON body.
  public let input: JSONValue?
  /// The schema of its output, if the manifest declares one; for a route, that of a JSON answer.
  public let output: JSONValue?
  /// After which ends a process of it is started again, where the settings don't say: `permanent`,
  /// `transient` or `temporary`; nil for what is usual.
  public let restart: String?
  /// The requests that a route answers, and who may send them; nil for other kinds.
  public let route: RouteDeclaration?
  /// Whether its settings may hold something secret (`writeOnly`, or the format `password`).
  public let hasSecrets: Bool
  /// Whether its settings may hold texts of the query language (`pipesQuery` and so on).
  public let hasQueries: Bool
  /// Whether its settings may hold a list of logic adapters.
  public let hasLogicAdapters: Bool

  init(
    kind: ContributionKind, name: String, title: String, description: String, example: JSONValue?,
    settings: JSONValue, settingsSchema: Schema, input: JSONValue?, output: JSONValue?,
    restart: String? = nil, route: RouteDeclaration? = nil
  ) {
    self.kind = kind
    self.name = name
    self.title = title
    self.description = description
    self.example = example
    self.settings = settings
    self.settingsSchema = settingsSchema
    self.input = input
    self.output = output
    self.restart = restart
    self.route = route
    self.hasSecrets =
      SettingsSchema.mentions("writeOnly", as: true, in: settings)
      || SettingsSchema.mentions("format", as: "password", in: settings)
    self.hasQueries = ["pipesQuery", "pipesFilter", "pipesCondition", "pipesSpan"].contains {
      SettingsSchema.mentions($0, as: true, in: settings)
    }
    self.hasLogicAdapters = SettingsSchema.mentions(
      "$ref", as: "agent:logic_adapters", in: settings)
  }
}
