import AgentJSON
import AgentText

/// Reads the members of one object and collects the problems.
struct FieldReader {
  /// The problems found until now.
  var problems: [AssignmentProblem] = []
  private let node: JSONNode
  private let isObject: Bool

  /// The limit of a name that people choose. A longer one is probably a mistake.
  private static let longestName = 200

  init(_ node: JSONNode) {
    self.node = node
    isObject = node.kind == .object
    if !isObject { report(.wrongType, at: node, "Expected an object.", found: node) }
  }

  mutating func report(
    _ code: AssignmentProblem.Code, at node: JSONNode, _ message: String,
    found: JSONNode? = nil, nearest: String? = nil
  ) {
    problems.append(AssignmentProblem(code, at: node, message, found: found, nearest: nearest))
  }

  /// Reports keys that are not in `keys`.
  mutating func allow(_ keys: [String]) {
    for member in node.members where !keys.contains(member.key) {
      problems.append(
        AssignmentProblem(
          .unknownKey, pointer: member.value.pointer, place: member.keyPlace,
          "There is no key \"\(member.key)\" here.",
          nearest: NameSuggestion.of(member.key, among: keys)))
    }
  }

  /// Reads a required name.
  mutating func name(_ key: String) -> String? {
    guard let value = required(key) else { return nil }
    guard let text = value.string else {
      report(.wrongType, at: value, "Expected a string.", found: value)
      return nil
    }
    return checked(text, at: value) ? text : nil
  }

  /// Reads a required text of any length.
  mutating func text(_ key: String) -> String? {
    guard let value = required(key) else { return nil }
    guard let text = value.string, !text.isEmpty else {
      report(.wrongType, at: value, "Expected a text.", found: value)
      return nil
    }
    return text
  }

  /// Reads an optional member.
  func member(_ key: String) -> JSONNode? { optional(key) }

  /// Reads an optional text.
  mutating func string(_ key: String) -> String? {
    guard let value = optional(key) else { return nil }
    if value.kind != .string { report(.wrongType, at: value, "Expected a string.", found: value) }
    return value.string
  }

  /// Reads an optional object.
  mutating func object(_ key: String) -> JSONObject? {
    guard let value = optional(key) else { return nil }
    if value.kind != .object { report(.wrongType, at: value, "Expected an object.", found: value) }
    return value.value.object
  }

  /// Reads an optional integer.
  mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = optional(key) else { return nil }
    guard let number = value.int, range.contains(number) else {
      report(
        .invalidValue, at: value,
        "Expected a whole number of \(range.lowerBound) … \(range.upperBound).", found: value)
      return nil
    }
    return number
  }

  /// Reads one of the given names.
  mutating func choice(_ key: String, of names: [String], kind: String) -> String? {
    guard let value = optional(key) else { return nil }
    guard let text = value.string, names.contains(text) else {
      unknown(value, of: names, kind: kind)
      return nil
    }
    return text
  }

  /// Reads a list of at least one name. Repeated names count once.
  mutating func names(_ key: String, of known: [String]?, kind: String) -> [String]? {
    guard let value = required(key) else { return nil }
    guard value.kind == .array, value.count > 0 else {
      report(.invalidValue, at: value, "Expected a list with at least one \(kind).", found: value)
      return nil
    }
    var names: [String] = []
    for element in value.elements {
      guard let text = element.string, known?.contains(text) ?? true else {
        unknown(element, of: known ?? [], kind: kind)
        continue
      }
      if checked(text, at: element), !names.contains(text) { names.append(text) }
    }
    return names
  }

  /// Reads the elements of an optional list.
  mutating func elements(_ key: String, atMost most: Int) -> [JSONNode] {
    guard let value = optional(key) else { return [] }
    guard value.kind == .array else {
      report(.wrongType, at: value, "Expected a list.", found: value)
      return []
    }
    guard value.count <= most else {
      report(.invalidValue, at: value, "Expected at most \(most) elements, not \(value.count).")
      return []
    }
    return Array(value.elements)
  }

  private mutating func unknown(_ value: JSONNode, of names: [String], kind: String) {
    let known = names.isEmpty ? "" : ": " + names.joined(separator: ", ")
    report(
      value.kind == .string ? .unknownName : .wrongType, at: value, "Expected a \(kind)\(known).",
      found: value, nearest: value.string.flatMap { NameSuggestion.of($0, among: names) })
  }

  private mutating func checked(_ text: String, at value: JSONNode) -> Bool {
    let isBlank = text.allSatisfy(\.isWhitespace)
    if isBlank { report(.invalidValue, at: value, "A name can't be empty.") }
    let isLong = text.count > Self.longestName
    if isLong { report(.invalidValue, at: value, "A name has at most 200 letters.") }
    let control = text.unicodeScalars.first { $0.properties.generalCategory == .control }
    if let control {
      report(
        .invalidValue, at: value,
        "A name can't have a control character; this one has U+\(String(control.value, radix: 16))."
      )
    }
    return !isBlank && !isLong && control == nil
  }

  private mutating func required(_ key: String) -> JSONNode? {
    guard isObject else { return nil }
    if let value = optional(key) { return value }
    report(.missing, at: node, "The key \"\(key)\" is required.")
    return nil
  }

  /// The member, or nil where it is absent or null.
  private func optional(_ key: String) -> JSONNode? {
    node[key].flatMap { $0.isNull ? nil : $0 }
  }
}
