internal import AgentModules

/// The version of this program.
enum Version {
  static let text = SemanticVersion.host.description
}
