import AgentJSON
import AgentModules

/// Reads `access`: users with hashes of their passwords.
extension SettingsReader {
  private static let path = ["access", "users"]

  /// Marks the values in place of password hashes as secret, before any message is written. Such a
  /// value may be a plain password.
  mutating func hidePasswords() {
    for (name, user) in root["access"]?["users"]?.object ?? [:] {
      guard let password = user["password"] else { continue }
      references.markSecret(password, at: JSONPointer(tokens: Self.path + [name, "password"]))
    }
  }

  mutating func readAccess() -> AccessSettings {
    var settings = AccessSettings()
    settings.sessionHours = root["access"]?["session_hours"]?.double ?? settings.sessionHours
    let audit = root["access"]?["audit"]
    settings.audit.maxAgeDays = audit?["max_age_days"]?.double ?? settings.audit.maxAgeDays
    settings.audit.maxBytes =
      readSize(audit?["max_bytes"], at: ["access", "audit", "max_bytes"]) ?? settings.audit.maxBytes
    for (name, user) in root["access"]?["users"]?.object ?? [:] {
      guard let role = user["role"]?.string, let hash = user["password"]?.string else { continue }
      let place = Self.path + [name, "password"]
      if hash.hasPrefix("$argon2id$") {
        settings.users.append(.init(name: name, role: role, hash: hash))
      } else if !references.unresolved.contains(JSONPointer(tokens: place)) {
        add(
          "plain_password", at: place,
          message: "a password isn't written here, only its hash, which begins with $argon2id$. "
            + "\"agent user hash\" creates it.",
          expected: "a hash, $argon2id$…")
      }
    }
    return settings
  }
}
