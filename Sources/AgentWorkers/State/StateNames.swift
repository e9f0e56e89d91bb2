internal import AgentSettings

/// Checks the names of owners and keys of state.
enum StateNames {
  /// The pattern of all keys. A route can't contain U+0000, so such a key could be neither shown
  /// nor removed.
  static let keyPattern = #"^[^\u0000]*$"#
  static let keyRule = "a key has no character U+0000."
  /// The pattern of keys that are set. It excludes control characters, because keys are shown in
  /// lists and in lines of text. Former versions of the host accepted control characters, so such
  /// keys can still be read and removed.
  static let newKeyPattern = #"^[^\u0000-\u001f\u007f-\u009f]*$"#
  static let newKeyRule = "a key has no control characters."

  /// Returns the problem with the name of an owner as a sentence, or `nil` if it is valid. A valid
  /// name has the form of a process name, or is `module:` followed by the name of a module.
  static func problem(withOwner owner: String) -> String? {
    let name = owner.hasPrefix("module:") ? owner.dropFirst("module:".count) : owner[...]
    if ProcessName.isValid(name, maxLength: ProcessName.maxInstanceLength) { return nil }
    return "\"owner\" isn't the name of a process: a letter, then letters, digits, _ . and -; or "
      + "module:NAME."
  }

  /// Returns the problem with a key that is to be set as a sentence, or `nil` if it is valid.
  static func problem(withKey key: String) -> String? {
    key.unicodeScalars.contains { $0.properties.generalCategory == .control }
      ? "\"key\" can't be used: \(newKeyRule)" : nil
  }
}
