internal import AgentTasks

/// Splits a command line into words, with the quotes of a shell (POSIX, "Shell Command Language",
/// 2.2). Nothing is expanded: no variable, no `*`, no pipe.
enum CommandWords {
  private static let operators: Set<String> = ["|", "||", "&", "&&", ";", ">", ">>", "<", "2>&1"]

  /// - Throws: `invalid` when a quote isn't closed, or a word would have a meaning to a shell.
  static func split(_ text: String) throws(TaskError) -> [String] {
    var words: [String] = []
    var rest = text[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.isEmpty { break }
      let start = rest.startIndex
      let word = try next(&rest)
      // Compared with the text as it was written: the same word in quotes is an argument.
      if operators.contains(word), text[start..<rest.startIndex] == word {
        throw TaskError(
          .invalid,
          "\"\(word)\" in run_command has a meaning only in a shell, and the command doesn't run "
            + "in one. Put it in quotes if it is an argument, or ask for a shell with \"shell\": "
            + "true.")
      }
      words.append(word)
    }
    return words
  }

  private static func next(_ rest: inout Substring) throws(TaskError) -> String {
    var word = ""
    while let letter = rest.first, !letter.isWhitespace {
      rest.removeFirst()
      switch letter {
      case "'", "\"": word += try quoted(by: letter, &rest)
      case "\\":
        if let escaped = rest.popFirst() { word.append(escaped) }
      default: word.append(letter)
      }
    }
    return word
  }

  private static func quoted(
    by quote: Character, _ rest: inout Substring
  ) throws(TaskError) -> String {
    var text = ""
    while let letter = rest.popFirst() {
      if letter == quote { return text }
      // Inside double quotes a backslash means something before these only.
      if quote == "\"", letter == "\\", let escaped = rest.first, "\"\\$`".contains(escaped) {
        rest.removeFirst()
        text.append(escaped)
      } else {
        text.append(letter)
      }
    }
    throw TaskError(.invalid, "The closing \(quote) is missing in run_command.")
  }
}
