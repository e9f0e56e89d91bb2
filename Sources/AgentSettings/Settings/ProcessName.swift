internal import AgentText

/// The rule for the names of processes: a letter, then letters, digits, `_`, `.` and `-`, all of
/// ASCII. The schema of the settings has the same rule as a pattern.
package enum ProcessName {
  /// The most characters of a name in the settings.
  package static let maxLength = 64
  /// The most characters of the name of an instance of a pool: a name, and a number behind it.
  package static let maxInstanceLength = 80

  /// Returns whether a text can be a name.
  package static func isValid(
    _ name: some StringProtocol, maxLength: Int = Self.maxLength
  ) -> Bool {
    guard let first = name.utf8.first, first.isASCIILetter, name.utf8.count <= maxLength else {
      return false
    }
    return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_.-".utf8.contains($0) }
  }
}
