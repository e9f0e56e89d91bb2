import AgentJSON
import AgentModules

/// The host's own schema of `settings.json`.
enum SettingsSchemas {
  static let settings = SharedSchemas.parse(PackageResources.settings_schema_json)
}
