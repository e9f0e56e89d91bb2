import AgentJSON
import JSONSchema

/// Finds the secrets in the host's own settings, before any message about a value is written.
extension SettingsReader {
  mutating func markSecrets(in node: JSONNode) {
    markPasswords(in: root)
    if ["notifications", "traces", "tasks"].contains(where: { root[$0] != nil }) {
      markWriteOnly(in: node)
    }
    for (_, type) in root["tasks"]?["types"]?.object ?? [:] {
      markAddress(type["url"])
      markFields(type["headers"])
    }
    for (name, notifier) in root["notifications"]?["notifiers"]?.object ?? [:] {
      let path = ["notifications", "notifiers", name]
      markAddress(notifier["url"])
      markFields(notifier["headers"])
      markVariables(notifier["environment"], at: path + ["environment"])
    }
    markAddress(root["traces"]?["endpoint"])
    markFields(root["traces"]?["headers"])
    markAddress(root["http"]?["base_url"])
    for (key, file) in root["http"]?["tls"]?.object ?? [:] {
      guard let text = file.string, SecretParts.isKey(text) else { continue }
      references.markSecret(file, at: JSONPointer(tokens: ["http", "tls", key]))
      references.markSecrets(SecretParts.ofKey(text))
    }
    for section in ["processes", "modules"] {
      for (name, entry) in root[section]?.object ?? [:] {
        markVariables(entry["environment"], at: [section, name, "environment"])
      }
    }
  }

  /// Marks the passwords of addresses, under any key.
  private mutating func markPasswords(in value: JSONValue) {
    switch value {
    case .string(let text):
      // The references of modules aren't replaced yet, and the name of a variable is no secret.
      if !text.contains("${") { references.markSecrets(SecretParts.passwords(in: text)) }
    case .array(let elements): for element in elements { markPasswords(in: element) }
    case .object(let members): for (_, member) in members { markPasswords(in: member) }
    case .number, .bool, .null: break
    }
  }

  /// Marks the texts under telling keys in a module's settings, and the passwords of addresses. A
  /// module often prints its settings when it starts, and its schema need not say what is secret.
  ///
  /// - Parameter settings: with the references replaced.
  mutating func markTexts(
    in settings: JSONValue, by schema: Schema, at path: [String] = [], tells: Bool = false
  ) {
    switch settings {
    case .string(let text):
      references.markSecrets(SecretParts.passwords(in: text))
      let pointer = JSONPointer(tokens: path)
      guard tells, SecretParts.isLong(text), SecretPlaces.mayBeText(at: pointer, by: schema) else {
        return
      }
      references.markSecrets([text])
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        markTexts(in: element, by: schema, at: path + [String(index)], tells: tells)
      }
    case .object(let members):
      for (key, member) in members {
        let tells = tells || SecretNames.tells(key)
        markTexts(in: member, by: schema, at: path + [key], tells: tells)
      }
    case .number, .bool, .null: break
    }
  }

  /// Marks the values that the schema declares as secret.
  private mutating func markWriteOnly(in node: JSONNode) {
    for pointer in Self.schema?.secrets(in: node) ?? [] {
      if let secret = root.value(at: pointer) { references.markSecret(secret, at: pointer) }
    }
  }

  private mutating func markAddress(_ address: JSONValue?) {
    references.markSecrets(SecretParts.ofAddress(address?.string ?? ""))
  }

  private mutating func markFields(_ fields: JSONValue?) {
    for (_, value) in fields?.object ?? [:] {
      references.markSecrets(SecretParts.ofField(value.string ?? ""))
    }
  }

  /// Marks variables with names of secrets, because programs often print their environment.
  private mutating func markVariables(_ variables: JSONValue?, at path: [String]) {
    for (name, value) in variables?.object ?? [:] where SecretNames.tells(name) {
      guard let text = value.string, SecretParts.isLikely(text) else { continue }
      references.markSecret(value, at: JSONPointer(tokens: path + [name]))
    }
  }
}
