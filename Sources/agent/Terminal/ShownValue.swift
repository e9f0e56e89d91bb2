internal import AgentJSON
internal import AgentText

/// Which texts of an answer are laid out over several lines.
enum TextBlocks {
  /// None: each stays on its line.
  case none
  /// Those under these keys, with all that is in them.
  case under(Set<String>)
  /// All, as of an answer that is printed as JSON.
  case all
}

extension JSONValue {
  /// The value for people: texts of others stay on the line where they are put, so that none of them
  /// can look like a line of its own.
  func shown(keeping blocks: TextBlocks = .none) -> JSONValue {
    if case .all = blocks { return self }
    switch self {
    case .string(let text): return .string(VisibleText.line(text))
    case .array(let elements): return .array(elements.map { $0.shown(keeping: blocks) })
    case .object(let members):
      return .object(
        JSONObject(
          members.map { key, value in
            if case .under(let keys) = blocks, keys.contains(key) { return (key, value.indented()) }
            return (VisibleText.line(key), value.shown(keeping: blocks))
          }))
    case .number, .bool, .null: return self
    }
  }

  /// The value with every line of its texts but the first set in, so that a text of several lines
  /// can't look like what stands around it.
  private func indented() -> JSONValue {
    switch self {
    case .string(let text):
      // "\r\n" is one character, in which "\n" isn't found.
      return .string(text.replacing("\r\n", with: "\n").replacing("\n", with: "\n  "))
    case .array(let elements): return .array(elements.map { $0.indented() })
    case .object(let members):
      return .object(JSONObject(members.map { ($0, $1.indented()) }))
    case .number, .bool, .null: return self
    }
  }
}
