package import AgentJSON
package import AgentSettings

/// Settings as they may be shown to others.
///
/// Three nets, one behind the other: references stay references, so that no variable's value comes
/// in; what is known to be secret is replaced wherever it stands; and a text under a key that
/// speaks of secrets is replaced whatever it is.
package struct RedactedSettings {
  let redactor: Redactor

  package init(redactor: Redactor) {
    self.redactor = redactor
  }

  /// The settings without secrets.
  package func value(of settings: JSONValue) -> JSONValue { hide(settings, underTelling: false) }

  private func hide(_ value: JSONValue, underTelling: Bool) -> JSONValue {
    switch value {
    case .object(let object):
      return .object(
        JSONObject(
          object.map { key, member in
            (
              // A key can be a secret, too: maps have keys that people choose.
              redactor.redact(key),
              hide(member, underTelling: underTelling || SecretNames.tells(key))
            )
          }))
    case .array(let elements):
      return .array(elements.map { hide($0, underTelling: underTelling) })
    case .string(let text):
      // A reference names its variable and says nothing of the value.
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
