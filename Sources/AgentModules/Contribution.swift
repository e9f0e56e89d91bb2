public import AgentJSON
public import JSONSchema

/// Something that a module offers, as its manifest declares it.
public struct Contribution: Sendable {
  /// What it is good for.
  public let kind: ContributionKind
  /// Its name, unique in its module among processes and within its kind.
  public let name: String
  /// Its name for people; the name itself when the manifest gives none.
  public let title: String
  /// One or two sentences; may be empty.
  public let description: String
  /// Settings that work (processes), a message that it answers (logic adapters), or an input.
  public let example: JSONValue?
  /// The schema of its settings as the manifest has it.
  public let settings: JSONValue
  /// The same, closed against unknown keys and compiled.
  public let settingsSchema: Schema
  /// The schema of its input, where the manifest declares one.
  public let input: JSONValue?
  /// The schema of its output, where the manifest declares one.
  public let output: JSONValue?
}
