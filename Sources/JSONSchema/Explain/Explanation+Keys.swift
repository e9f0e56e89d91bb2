import AgentJSON
import AgentText

extension Explanation {
  /// The largest number of known keys that are listed.
  private static let listed = 12

  /// - Parameter node: the key's schema, if there is one. Its texts say what to add.
  static func missing(
    _ key: String, because cause: String? = nil, node: Int?, program: SchemaProgram
  ) -> Explanation {
    let quoted = FoundText.quoted(key)
    let reason = cause.map { ", needed with \(FoundText.quoted($0))" } ?? ""
    let note = node.flatMap(program.note(on:)).map { " (\($0))" } ?? ""
    return Explanation(
      expected: "the key \(quoted)", found: "no such key",
      suggestion: node.flatMap { addition(of: quoted, by: ExpectedSchema($0, program)) }, key: key,
      lead: "missing key \(quoted)\(reason)\(note)")
  }

  private static func addition(of key: String, by expectedSchema: ExpectedSchema) -> String? {
    if let values = expectedSchema.values, !values.isEmpty, values.count <= listed {
      return values.count == 1
        ? "Add \(key): \(choice(of: values))." : "Add it with \(choice(of: values))."
    }
    if let example = expectedSchema.example(of: .all) {
      return "Add it, such as \(key): \(example.text())."
    }
    let types = expectedSchema.types
    return types == .all ? nil : "Add it with \(FoundText.choice(types.phrases))."
  }

  /// Returns the whole message about an unknown key.
  static func unknownKey(_ key: String, _ suggestion: String?) -> String {
    join("unknown key \(FoundText.quoted(key))", suggestion)
  }

  static func unknown(_ member: JSONMember, _ keys: inout KnownKeys) -> Explanation {
    let known = keys.all
    let isCompared = keys.mayCompare()
    let quoted = FoundText.quoted(member.key)
    var explanation = Explanation(
      expected: known.isEmpty ? "no key here" : "one of the keys \(list(known))",
      found: quoted, key: member.key, lead: "unknown key \(quoted)")
    explanation.range = member.keyRange
    if isCompared, let near = NameSuggestion.of(member.key, among: keys.free) {
      let amount = converted(member, to: near).map { " \($0)" } ?? ""
      explanation.suggestion = "Did you mean \(FoundText.quoted(near))?\(amount)"
      explanation.nearestKey = near
    } else if isCompared, let near = NameSuggestion.of(member.key, among: known) {
      explanation.suggestion = "\(FoundText.quoted(near)) is there already."
    } else if known.isEmpty {
      explanation.suggestion = "No keys are known here."
    } else if known.count <= listed {
      explanation.suggestion = "Known here: \(list(known))."
    }
    return explanation
  }

  /// Returns `5000 milliseconds are 5 seconds.` if the correct key has another unit.
  private static func converted(_ member: JSONMember, to key: String) -> String? {
    guard let number = member.value.int,
      let unit = UnitHint(key: member.key, notes: []), let wanted = UnitHint(key: key, notes: []),
      unit != wanted, let result = unit.convert(number, to: wanted)
    else { return nil }
    return "\(number) \(unit.name) are \(result) \(wanted.name)."
  }

  private static func list(_ keys: [String]) -> String {
    let shown = keys.prefix(listed).map(FoundText.quoted)
    let more = keys.count - shown.count
    return more > 0
      ? shown.joined(separator: ", ") + " and \(more) more" : FoundText.choice(shown, "and")
  }

  static func notAllowed(_ key: String?, _ node: JSONNode) -> Explanation {
    let lead = key == nil ? "no value is allowed here" : "this is not allowed here"
    return Explanation(
      expected: "nothing", found: FoundText.of(node), suggestion: "Remove it.", lead: lead)
  }

  static func deprecated(_ key: String?, _ notes: SchemaNotes) -> Explanation {
    let quoted = key.map { FoundText.quoted($0) } ?? "this"
    var explanation = Explanation(
      expected: "what is not deprecated", found: quoted, lead: "\(quoted) is deprecated")
    explanation.severity = .warning
    explanation.suggestion = notes.description.map(replacement)
    return explanation
  }

  /// Returns the sentence of a description that names the replacement, or the whole description if
  /// there is none.
  private static func replacement(in description: String) -> String {
    let signs = ["instead", "use ", "replaced", "renamed", "superseded", "moved"]
    var found: [String] = []
    var rest = description[...]
    while !rest.isEmpty {
      let sentence = firstSentence(String(rest))
      let length = max(1, sentence.count)
      rest = rest.dropFirst(length).drop { $0 == "." || $0.isWhitespace }
      let small = sentence.lowercased()
      if signs.contains(where: small.contains) { found.append(sentence) }
    }
    return withoutStop(found.isEmpty ? description : found.joined(separator: ". ")) + "."
  }
}

extension SchemaFailure {
  /// Returns the failure with the key and not the value as its range.
  func onKey(_ key: String, _ range: Range<Int>) -> SchemaFailure {
    SchemaFailure(
      severity: severity, instance: instance, key: key, range: range, schema: schema,
      keyword: keyword, expected: expected, found: found, suggestion: suggestion,
      message: "the key \(FoundText.quoted(key)): \(message)", nearestKey: nearestKey)
  }
}
