import AgentJSON
import AgentModules

/// Reads `store`: the size limit of the database.
extension SettingsReader {
  mutating func readStore() -> StoreSettings {
    var settings = StoreSettings()
    let path = ["store", "max_bytes"]
    guard let bytes = readSize(root["store"]?["max_bytes"], at: path) else { return settings }
    guard bytes >= StoreSettings.leastBytes else {
      add(
        "invalid_size", at: path,
        message: "a database needs at least 64 MB; found "
          + "\(root["store"]?["max_bytes"]?.text() ?? "less").",
        expected: "at least \"64MB\"")
      return settings
    }
    settings.maxBytes = bytes
    return settings
  }
}
