internal import AgentJSON
internal import AgentText

/// The texts of an answer that may have several lines.
enum TextBlocks {
  /// None. Each text is on one line.
  case none
  /// The texts under these keys, at any depth.
  case under(Set<String>)
  /// All texts, for an answer that is printed as JSON.
  case all
}

extension JSONValue {
  /// Returns the value for people. Texts of others stay on one line, so that none can imitate a
  /// line of this program.
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

  /// Returns the value with all further lines of its texts indented, so that they can't imitate the
  /// lines around them.
  private func indented() -> JSONValue {
    switch self {
    case .string(let text):
      // "\r\n" is one character, so a search for "\n" doesn't find it.
      return .string(text.replacing("\r\n", with: "\n").replacing("\n", with: "\n  "))
    case .array(let elements): return .array(elements.map { $0.indented() })
    case .object(let members):
      return .object(JSONObject(members.map { ($0, $1.indented()) }))
    case .number, .bool, .null: return self
    }
  }
}
