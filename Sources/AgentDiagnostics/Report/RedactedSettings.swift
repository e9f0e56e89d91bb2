package import AgentJSON
package import AgentSettings

/// Removes secrets from settings.
///
/// Three rules apply one after the other. A reference isn't resolved, so that the value of a
/// variable isn't shown. Known secrets are replaced everywhere. A text under a key that indicates a
/// secret is replaced, whatever it is.
package struct RedactedSettings {
  let redactor: Redactor

  package init(redactor: Redactor) {
    self.redactor = redactor
  }

  /// Returns the settings without secrets.
  package func value(of settings: JSONValue) -> JSONValue { hide(settings, underTelling: false) }

  private func hide(_ value: JSONValue, underTelling: Bool) -> JSONValue {
    switch value {
    case .object(let object):
      return .object(
        JSONObject(
          object.map { key, member in
            (
              // A key can contain a secret too, because people choose the keys of maps.
              redactor.redact(key),
              hide(member, underTelling: underTelling || SecretNames.tells(key))
            )
          }))
    case .array(let elements):
      return .array(elements.map { hide($0, underTelling: underTelling) })
    case .string(let text):
      // A reference names its variable but not the value.
      let isReference = text.hasPrefix("${") && text.hasSuffix("}")
      if underTelling, !isReference, !text.isEmpty { return .string(Redactor.replacement) }
      return .string(redactor.redact(text))
    case .number(let number):
      // A secret of digits only, such as a PIN, may be written as a number.
      let isSecret = underTelling || redactor.redact(number.text) != number.text
      return isSecret ? .string(Redactor.replacement) : value
    case .bool, .null: return value
    }
  }
}
