import AgentJSON
import AgentText

/// Converts names in programs to words for people.
enum FormWords {
  /// Returns `Check interval` for `check_interval_seconds` if the unit is shown separately.
  static func label(_ name: String, without unit: UnitHint? = nil) -> String {
    var words = NameWords.of(name)
    if words.count > 1, let unit, let last = words.last, UnitHint(word: last) == unit {
      words.removeLast()
    }
    let text = words.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  static func label(_ name: String) -> String { label(name, without: nil) }

  /// Returns the text of an option. A word in lower case gets a capital.
  static func label(of value: JSONValue) -> String {
    guard let text = value.string else { return value.text() }
    let isWord = text.allSatisfy { $0.isLowercase || $0 == "_" || $0 == "-" } && !text.isEmpty
    return isWord ? label(text) : text
  }
}
