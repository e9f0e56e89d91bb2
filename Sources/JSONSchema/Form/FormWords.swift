import AgentJSON
import AgentText

/// Names of programs as people read them.
enum FormWords {
  /// `check_interval_seconds` becomes `Check interval`, where seconds are shown as the unit.
  static func label(_ name: String, without unit: UnitHint? = nil) -> String {
    var words = NameWords.of(name)
    if words.count > 1, let unit, let last = words.last, UnitHint(word: last) == unit {
      words.removeLast()
    }
    let text = words.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  static func label(_ name: String) -> String { label(name, without: nil) }

  /// An option as it is written; words in lower case read better with a capital.
  static func label(of value: JSONValue) -> String {
    guard let text = value.string else { return value.text() }
    let isWord = text.allSatisfy { $0.isLowercase || $0 == "_" || $0 == "-" } && !text.isEmpty
    return isWord ? label(text) : text
  }
}
