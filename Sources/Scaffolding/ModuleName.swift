/// A module's name, and what is derived from it.
struct ModuleName {
  let text: String

  /// Refuses what `module.json` would not take.
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

  /// The Swift module's name, as `agent build` uses it: `log-watch` is `LogWatchModule`.
  var swiftName: String {
    let words = text.split { !($0.isLetter || $0.isNumber) }
    return words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() + "Module"
  }
}
