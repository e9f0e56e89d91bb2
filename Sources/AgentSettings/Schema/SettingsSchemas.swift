import AgentJSON
import AgentModules
import AgentSchemas

/// The host's own schema of `settings.json`.
enum SettingsSchemas {
  static let settings = SharedSchemas.parse(SDKSchemas.settings)
}
