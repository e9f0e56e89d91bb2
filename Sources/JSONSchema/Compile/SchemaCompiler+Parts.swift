import AgentJSON

extension SchemaCompiler {
  static let ofObjects: KeywordSet = [
    .required, .dependentRequired, .dependencies, .propertyNames, .properties,
    .patternProperties, .additionalProperties,
  ]

  mutating func objects(_ keywords: inout [SchemaKeyword]) {
    if let keys = reader.texts(.required), !keys.isEmpty { keywords.append(.required(keys)) }
    let dependents = dependentKeys()
    if !dependents.isEmpty {
      keywords.append(.dependentRequired(DependentRules(dependents)))
    }
    if let node = schema(.propertyNames) { keywords.append(.propertyNames(node)) }
    var rules = PropertyRules()
    forEachSchema(by: .properties) { _, key, node in rules.named.append(key, node) }
    forEachSchema(by: .patternProperties) { compiler, text, node in
      guard let pattern = compiler.pattern(text, at: ["patternProperties", text]) else { return }
      rules.matching.append(PropertyRules.Matching(pattern: pattern, node: node))
    }
    rules.others = schema(.additionalProperties)
    let isEmpty = rules.named.isEmpty && rules.matching.isEmpty && rules.others == nil
    if !isEmpty { keywords.append(.properties(rules)) }
  }

  private mutating func dependentKeys() -> [DependentKeys] {
    var dependents: [DependentKeys] = []
    let form = "an object of arrays of strings"
    for (key, value) in reader.read(.dependentRequired, form: form, read: { $0.object })
      ?? JSONObject()
    {
      guard let needed = KeywordReader.distinctTexts(value) else {
        reader.refuse(.dependentRequired, "must be \(form).")
        continue
      }
      dependents.append(DependentKeys(key: key, needed: needed))
    }
    // The lists of keys. The schemas are read with the combinations.
    for (key, value) in reader[.dependencies]?.object ?? JSONObject() where value.kind == .array {
      guard let needed = KeywordReader.distinctTexts(value) else {
        reader.refuse(.dependencies, "must be an object of schemas and arrays of strings.")
        continue
      }
      dependents.append(DependentKeys(keyword: "dependencies", key: key, needed: needed))
    }
    return dependents
  }

  static let ofLists: KeywordSet = [
    .prefixItems, .items, .additionalItems, .uniqueItems, .contains, .minContains, .maxContains,
  ]

  mutating func lists(_ keywords: inout [SchemaKeyword]) {
    var rules = ElementRules()
    if reader[.items]?.kind == .array {
      if reader.rules.hasItemLists {
        rules.prefix = schemas(in: .items, mayBeEmpty: true)
        rules.rest = schema(.additionalItems)
      } else {
        reader.refuse(.items, "is one schema since 2020-12. A list is \"prefixItems\".")
      }
    } else {
      rules.prefix = schemas(in: .prefixItems)
      rules.rest = schema(.items)
    }
    if !rules.prefix.isEmpty || rules.rest != nil { keywords.append(.elements(rules)) }
    if reader.flag(.uniqueItems) { keywords.append(.uniqueItems) }
    // They are read even without `contains`. They have no effect then, but must be well-formed.
    let least = reader.count(.minContains) ?? 1
    let most = reader.count(.maxContains)
    if let node = schema(.contains) {
      let covers = reader.rules.containsCovers
      keywords.append(
        .contains(ContainsRule(node: node, least: least, most: most, covers: covers)))
    }
  }
}
