import AgentJSON
import AgentText

extension SchemaCompiler {
  static let ofReferences: KeywordSet = [.ref, .dynamicRef, .recursiveRef]

  mutating func references(_ keywords: inout [SchemaKeyword]) {
    if let text = reader.text(.ref), let place = target(of: text, .ref) {
      keywords.append(.reference(node(at: place)))
    }
    if let text = reader.text(.dynamicRef), let place = target(of: text, .dynamicRef) {
      keywords.append(reference(to: place, library.dynamicAnchor(of: text, at: place)))
    }
    if let text = reader.text(.recursiveRef), let place = target(of: text, .recursiveRef) {
      keywords.append(reference(to: place, library.isRecursive(place) ? "" : nil))
    }
  }

  private mutating func reference(to place: Int, _ anchor: String?) -> SchemaKeyword {
    let node = node(at: place)
    // A dynamic reference whose target isn't a dynamic anchor is a plain one.
    guard let anchor else { return .reference(node) }
    // The anchors with this name in all resources must be compiled.
    dynamicNames.insert(anchor)
    return .dynamicReference(node, anchor: anchor)
  }

  private mutating func target(of reference: String, _ keyword: KeywordName) -> Int? {
    if let place = library.resolve(reference, from: current) { return place }
    let missing = library.missing(reference, from: current)
    report(
      .unresolvedReference, at: current, tokens: [keyword.text], message: missing.message,
      missingDocument: missing.document)
    return nil
  }

  static let ofNames: KeywordSet = [
    .schema, .id, .plainID, .anchor, .dynamicAnchor, .defs, .definitions,
  ]

  /// Reports malformed names, whether they are used or not.
  mutating func checkNames() {
    let rules = reader.rules
    // It is read only to find faults. `SchemaLibrary` has already chosen the draft.
    _ = reader.text(.schema)
    if let id = reader.text(rules.naming), !rules.namesByFragment,
      let fragment = URIReference(id).fragment, !fragment.isEmpty
    {
      reader.refuse(
        rules.naming, "must not have a fragment. Name places with \"$anchor\".")
    }
    for keyword in [KeywordName.anchor, .dynamicAnchor] {
      guard let name = reader.text(keyword), !Self.isAnchor(name, rules.dialect) else { continue }
      reader.refuse(
        keyword,
        rules.dialect == .draft2019
          ? "must be a letter, then letters, digits, \"-\", \"_\", \":\" or \".\"."
          : "must be a letter or \"_\", then letters, digits, \"-\", \"_\" or \".\".")
    }
    // They are read only to find faults. A definition is compiled when a reference needs it.
    _ = reader.schemas(by: .defs)
    _ = reader.schemas(by: .definitions)
  }

  private static func isAnchor(_ name: String, _ dialect: SchemaDialect) -> Bool {
    let isOld = dialect == .draft2019
    guard let first = name.utf8.first,
      first.isASCIILetter || (first == UInt8(ascii: "_") && !isOld)
    else { return false }
    return name.utf8.allSatisfy {
      $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) || ($0 == UInt8(ascii: ":") && isOld)
    }
  }

  static let ofCombinations: KeywordSet = [
    .allOf, .anyOf, .oneOf, .not, .if, .dependentSchemas, .dependencies,
  ]

  mutating func combinations(_ keywords: inout [SchemaKeyword]) {
    if reader[.allOf] != nil { keywords.append(.allOf(schemas(in: .allOf))) }
    if reader[.anyOf] != nil { keywords.append(.anyOf(schemas(in: .anyOf))) }
    if reader[.oneOf] != nil { keywords.append(.oneOf(schemas(in: .oneOf))) }
    if let node = schema(.not) { keywords.append(.not(node)) }
    // Without `if`, the keywords `then` and `else` have no effect and aren't compiled.
    if let condition = schema(.if) {
      let rule = ConditionalRule(
        condition: condition, then: schema(.then), otherwise: schema(.else))
      keywords.append(.conditional(rule))
    }
    var dependents: [DependentSchema] = []
    forEachSchema(by: .dependentSchemas) { _, key, node in
      dependents.append(DependentSchema(key: key, node: node))
    }
    forEachSchema(by: .dependencies) { _, key, node in
      dependents.append(DependentSchema(keyword: "dependencies", key: key, node: node))
    }
    if !dependents.isEmpty {
      keywords.append(.dependentSchemas(DependentRules(dependents)))
    }
  }
}
