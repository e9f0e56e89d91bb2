import AgentJSON

extension Explanation {
  /// More known keys than these aren't listed.
  private static let listed = 12

  static func missing(_ key: String, because cause: String?, _ note: String?) -> Explanation {
    let quoted = FoundText.quoted(key)
    let reason = cause.map { ", needed with \(FoundText.quoted($0))" } ?? ""
    return Explanation(
      expected: "the key \(quoted)", found: "no such key", key: key,
      lead: "missing key \(quoted)\(reason)" + (note.map { " (\($0))" } ?? ""))
  }

  /// `free` are the known keys that the object doesn't have yet: only those can have been meant.
  static func unknown(_ member: JSONMember, known: [String], free: [String]) -> Explanation {
    let quoted = FoundText.quoted(member.key)
    var explanation = Explanation(
      expected: known.isEmpty ? "no key here" : "one of the keys \(list(known))",
      found: quoted, key: member.key, lead: "unknown key \(quoted)")
    explanation.range = member.keyRange
    if let near = LikelyName.of(member.key, among: free) {
      explanation.suggestion = "Did you mean \(FoundText.quoted(near))?"
      explanation.nearestKey = near
    } else if let near = LikelyName.of(member.key, among: known) {
      explanation.suggestion = "\(FoundText.quoted(near)) is there already."
    } else if known.isEmpty {
      explanation.suggestion = "No keys are known here."
    } else if known.count <= listed {
      explanation.suggestion = "Known here: \(list(known))."
    }
    return explanation
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
    explanation.suggestion = notes.description.map { withoutStop($0) + "." }
    return explanation
  }
}

extension SchemaFailure {
  /// The same failure as one of a key, not of a value.
  func onKey(_ key: String, _ range: Range<Int>) -> SchemaFailure {
    SchemaFailure(
      severity: severity, instance: instance, key: key, range: range, schema: schema,
      keyword: keyword, expected: expected, found: found, suggestion: suggestion,
      message: "the key \(FoundText.quoted(key)): \(message)", nearestKey: nearestKey)
  }
}
