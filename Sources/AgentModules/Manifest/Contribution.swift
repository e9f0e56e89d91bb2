public import AgentJSON
public import JSONSchema

/// A contribution that a manifest declares. All users share the object.
public final class Contribution: Sendable {
  public let kind: ContributionKind
  /// The name, unique within its kind. All processes of a module share one namespace.
  public let name: String
  /// The name for people. Without a title in the manifest, it equals ``name``.
  public let title: String
  /// A description of one or two sentences. May be empty.
  public let description: String
  /// Valid settings (processes), a message (logic adapters), or an input (other kinds).
  public let example: JSONValue?
  /// The schema of the settings, as in the manifest.
  public let settings: JSONValue
  /// The compiled schema of the settings. It refuses unknown keys.
  public let settingsSchema: Schema
  /// The schema of the input, or of a route's JSON body. `nil` if the manifest declares none.
  public let input: JSONValue?
  /// The schema of the output, or of a route's JSON answer. `nil` if the manifest declares none.
  public let output: JSONValue?
  /// The default restart policy of its processes: `permanent`, `transient` or `temporary`. `nil`
  /// for the host's default.
  public let restart: String?
  /// The requests that a route answers, and the permission that the caller needs. `nil` for other
  /// kinds.
  public let route: RouteDeclaration?
  /// Whether the settings may contain secrets (`writeOnly`, or the format `password`).
  public let hasSecrets: Bool
  /// Whether the settings may contain queries (`pipesQuery` and similar formats).
  public let hasQueries: Bool
  /// Whether the settings may contain a list of logic adapters.
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
