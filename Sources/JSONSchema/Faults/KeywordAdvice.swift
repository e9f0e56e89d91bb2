import AgentJSON
import AgentText

/// Finds keywords that have no meaning in the draft but probably one for their author: misspelled
/// ones, and those of other drafts. No metaschema refuses them.
struct KeywordAdvice {
  private let document: JSONNode
  private(set) var warnings: [SchemaFailure] = []

  init(_ document: JSONNode, registry: SchemaRegistry, options: SchemaOptions) {
    self.document = document
    var library = SchemaLibrary(document.value, registry: registry, dialect: options.dialect)
    library.findAnchors()
    for (number, place) in library.places.enumerated() where place.role == .schema {
      guard let node = document.node(at: place.path.pointer), node.kind == .object else { continue }
      look(at: node, place.path.pointer, library.rules(at: number))
    }
  }

  private mutating func look(at node: JSONNode, _ pointer: JSONPointer, _ rules: DialectRules) {
    let hides = rules.hidesSiblings && node["$ref"]?.kind == .string
    for member in node.members {
      if let keyword = KeywordName.named(member.key), rules.keywords.contains(keyword) {
        guard hides, Self.demands.contains(keyword) else { continue }
        warn(
          member, pointer: pointer, lead: "has no effect beside \"$ref\" in \(rules.dialect.name)")
      } else if KeywordName.named(member.key) != nil {
        warn(
          member, pointer: pointer, lead: "means nothing in \(rules.dialect.name)",
          suggestion: advice(member.key, rules))
      } else if let near = near(member.key, rules) {
        warn(
          member, pointer: pointer, lead: "is no keyword of \(rules.dialect.name)",
          suggestion: "Did you mean \(FoundText.quoted(near))?", near: near)
      }
    }
  }

  private func near(_ key: String, _ rules: DialectRules) -> String? {
    // A short keyword is similar to too many other names, and `$comment` is a keyword in every
    // draft.
    let known = rules.keywords.names.filter {
      $0.utf8.count > 3 && NameSuggestion.isSlip(key, of: $0)
    }
    return key == "$comment" ? nil : NameSuggestion.of(key, among: known)
  }

  /// Returns the keyword that replaces another draft's keyword in this draft.
  private func advice(_ key: String, _ rules: DialectRules) -> String? {
    let pairs = [
      ("id", "$id"), ("definitions", "$defs"), ("items", "prefixItems"),
      ("additionalItems", "items"), ("$recursiveRef", "$dynamicRef"),
      ("$recursiveAnchor", "$dynamicAnchor"), ("dependencies", "dependentRequired"),
      ("dependencies", "dependentSchemas"), ("enum", "const"),
    ]
    for (old, new) in pairs {
      for (own, other) in [(old, new), (new, old)] where own == key {
        guard let name = KeywordName.named(other), rules.keywords.contains(name) else { continue }
        return "Its keyword for that is \(FoundText.quoted(other))."
      }
    }
    return nil
  }

  private mutating func warn(
    _ member: JSONMember, pointer: JSONPointer, lead: String, suggestion: String? = nil,
    near: String? = nil
  ) {
    let quoted = FoundText.quoted(member.key)
    let text = "\(quoted) \(lead)"
    warnings.append(
      SchemaFailure(
        severity: .warning, instance: pointer, key: member.key, range: member.keyRange,
        schema: .root, keyword: "unknown", expected: "a keyword that has an effect", found: quoted,
        suggestion: suggestion, message: suggestion.map { "\(text). \($0)" } ?? text,
        nearestKey: near))
  }

  /// The keywords whose absence changes the result: no annotations, and none that only contain
  /// targets of references.
  private static let demands = KeywordSet.all.subtracting([
    .ref, .id, .plainID, .schema, .definitions, .title, .description, .default, .examples,
    .errorMessage, .readOnly, .writeOnly, .deprecated,
  ])
}

extension KeywordSet {
  /// The keywords as they are written in schemas.
  fileprivate var names: [String] {
    KeywordName.allCases.filter(contains).map(\.text)
  }
}
