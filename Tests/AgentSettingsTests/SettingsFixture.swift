import AgentJSON
import AgentModules
import AgentSettings
import TestSupport

/// An agent's folder with the modules `trades` and `talk`; tests add settings.
struct SettingsFixture {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.write("modules/trades/module.json", Self.trades)
    try folder.write("modules/talk/module.json", Self.talk)
  }

  /// Reads these settings; line 1 of the text is line 1 of the file.
  func load(
    _ settings: String, strict: Bool = true, environment: [String: String] = [:]
  ) throws -> SettingsResult {
    try folder.write("settings.json", settings)
    return load(strict: strict, environment: environment)
  }

  func load(strict: Bool = true, environment: [String: String] = [:]) -> SettingsResult {
    SettingsFile.load(
      from: folder.path, options: .init(strict: strict, environment: environment))
  }

  /// Reads settings with both modules and one process `x` with these members.
  func loadProcess(
    _ members: String, strict: Bool = true, environment: [String: String] = [:]
  ) throws -> SettingsResult {
    try load(
      """
      {"enabled_modules": ["trades", "talk"], "processes": {"x": {
      \(members)}}}
      """, strict: strict, environment: environment)
  }

  private static let trades = """
    {
      "name": "trades", "version": "0.1.0", "command": ["python3", "main.py"],
      "processes": {
        "krakenfx": { "kind": "datasource" },
        "trade_frequency": {
          "kind": "monitor",
          "settings": {
            "required": ["window", "threshold"],
            "properties": {
              "window": { "type": "integer", "minimum": 1, "examples": [60] },
              "threshold": { "type": "number", "default": 2.5 },
              "notify": { "type": "boolean", "default": true },
              "label": { "type": "string" },
              "token": { "type": "string", "writeOnly": true, "maxLength": 20 },
              "pairs": { "type": "array", "items": { "$ref": "#/$defs/pair" } },
              "output": { "$ref": "agent:output" }
            },
            "$defs": { "pair": { "type": "string" } }
          }
        }
      },
      "actions": { "export_trades": { "settings": { "properties": { "folder": { "type": "string" } } } } },
      "logic_adapters": {
        "trades_counter": { "settings": { "properties": { "minutes": { "type": "integer", "default": 5 } } } },
        "trades_search": { "settings": { "required": ["index"], "properties": { "index": { "type": "string" } } } }
      }
    }
    """

  private static let talk = """
    {
      "name": "talk", "version": "0.1.0", "command": ["python3", "main.py"],
      "processes": {
        "chatbot": {
          "kind": "monitor",
          "settings": { "properties": { "logic_adapters": { "$ref": "agent:logic_adapters" } } }
        }
      }
    }
    """
}

extension SettingsResult {
  /// The problems as lines, without the folder's random name.
  var lines: [String] { problems.map(\.description) }

  var codes: [String] { problems.map(\.code) }
}
