internal import AgentSettings

/// The names of owners and keys of state.
enum StateNames {
  /// A key that no route could name wouldn't be shown or removed by anybody.
  static let keyPattern = #"^[^\u0000]*$"#
  static let keyRule = "a key has no character U+0000."
  /// Keys are shown in lists and lines of text. Former versions took control characters, so such
  /// keys can still be read and removed.
  static let newKeyPattern = #"^[^\u0000-\u001f\u007f-\u009f]*$"#
  static let newKeyRule = "a key has no control characters."

  /// Returns what is wrong with the name of an owner, or nil. It is that of a process of the
  /// settings, or `module:` and the name of a module.
  static func problem(withOwner owner: String) -> String? {
    let name = owner.hasPrefix("module:") ? owner.dropFirst("module:".count) : owner[...]
    if ProcessName.isValid(name, maxLength: ProcessName.maxInstanceLength) { return nil }
    return "\"owner\" isn't the name of a process: a letter, then letters, digits, _ . and -; or "
      + "module:NAME."
  }

  /// Returns what is wrong with a key that is to be set, or nil.
  static func problem(withKey key: String) -> String? {
    key.unicodeScalars.contains { $0.properties.generalCategory == .control }
      ? "\"key\" can't be used: \(newKeyRule)" : nil
  }
}
