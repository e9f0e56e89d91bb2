/// The name of a module, and the names derived from it.
struct ModuleName {
  let text: String

  /// Checks a name by the rule of `module.json`.
  /// - Throws: `ScaffoldError` with `invalidName` if the name breaks the rule.
  init(_ text: String) throws(ScaffoldError) {
    let fits = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
    guard let first = text.first, first.isLetter, fits, text.utf8.count <= 64 else {
      throw ScaffoldError(
        .invalidName,
        "\"\(text)\" can't be a module's name: a letter, then letters, digits, _ and -; at most 64."
      )
    }
    self.text = text
  }

  /// The name of the Swift module, as `agent build` uses it. For example, `log-watch` becomes
  /// `LogWatchModule`.
  var swiftName: String {
    let words = text.split { !($0.isLetter || $0.isNumber) }
    return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Module"
  }
}
