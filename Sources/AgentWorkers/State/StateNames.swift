/// The names of owners and keys of state.
enum StateNames {
  /// A key that no route could name wouldn't be shown, set or removed by anybody.
  static let keyPattern = #"^[^\u0000]*$"#
  static let keyRule = "a key has no character U+0000."

  /// A process of the settings has 64 characters, and an instance of a pool a number behind them.
  private static let longestOwner = 80

  /// Returns what is wrong with the name of an owner, or nil. It is that of a process of the
  /// settings, or `module:` and the name of a module.
  static func problem(withOwner owner: String) -> String? {
    let name = owner.hasPrefix("module:") ? owner.dropFirst("module:".count) : owner[...]
    let isName =
      name.utf8.count <= longestOwner && name.utf8.first.map(isLetter) == true
      && name.utf8.allSatisfy { isLetter($0) || "0123456789_.-".utf8.contains($0) }
    if isName { return nil }
    return "\"owner\" isn't the name of a process: a letter, then letters, digits, _ . and -; or "
      + "module:NAME."
  }

  /// Returns what is wrong with a key, or nil.
  static func problem(withKey key: String) -> String? {
    key.utf8.contains(0) ? "\"key\" can't be used: \(keyRule)" : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte & 0xdf)
  }
}
