import AgentJSON

extension SchemaCompiler {
  /// The demands of one schema in the order in which they are checked.
  mutating func keywords() -> [SchemaKeyword] {
    var keywords: [SchemaKeyword] = []
    if !reader.present.isDisjoint(with: Self.ofValues) { values(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofTexts) { texts(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofObjects) { objects(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofLists) { lists(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofNames) { checkNames() }
    if !reader.present.isDisjoint(with: Self.ofReferences) { references(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofCombinations) { combinations(&keywords) }
    if let node = schema(.unevaluatedItems) { keywords.append(.unevaluatedItems(node)) }
    if let node = schema(.unevaluatedProperties) { keywords.append(.unevaluatedProperties(node)) }
    return keywords
  }

  private static let ofValues: KeywordSet = [
    .type, .const, .enum, .multipleOf, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum,
    .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties,
  ]

  private mutating func values(_ keywords: inout [SchemaKeyword]) {
    if let types = reader.types() { keywords.append(.type(types)) }
    if let value = reader[.const] { keywords.append(.const(value)) }
    if let values = reader.list(.enum) { keywords.append(.enumeration(values)) }
    if let divisor = reader.divisor(.multipleOf) { keywords.append(.multipleOf(divisor)) }
    bounds(&keywords)
    for (keyword, measure, isMinimum) in Self.sizes {
      guard let limit = reader.count(keyword) else { continue }
      keywords.append(
        .size(
          SizeBound(keyword: keyword.text, measure: measure, isMinimum: isMinimum, limit: limit)))
    }
  }

  private static let sizes: [(KeywordName, SizeBound.Measure, Bool)] = [
    (.minLength, .characters, true), (.maxLength, .characters, false),
    (.minItems, .elements, true), (.maxItems, .elements, false),
    (.minProperties, .keys, true), (.maxProperties, .keys, false),
  ]

  private mutating func bounds(_ keywords: inout [SchemaKeyword]) {
    for (keyword, flag, relation, exclusive) in Self.limits {
      var relation = relation
      // In draft 4 the exclusive ones are words about the others.
      if reader.rules.hasExclusiveFlags {
        if reader.flag(flag) { relation = exclusive }
      } else if let limit = reader.number(flag) {
        keywords.append(.bound(NumberBound(relation: exclusive, limit: limit)))
      }
      guard let limit = reader.number(keyword) else { continue }
      keywords.append(.bound(NumberBound(relation: relation, limit: limit)))
    }
  }

  private static let limits:
    [(KeywordName, KeywordName, NumberBound.Relation, NumberBound.Relation)] = [
      (.minimum, .exclusiveMinimum, .minimum, .exclusiveMinimum),
      (.maximum, .exclusiveMaximum, .maximum, .exclusiveMaximum),
    ]
}

// MARK: - Texts

extension SchemaCompiler {
  fileprivate static let ofTexts: KeywordSet = [
    .pattern, .format, .contentEncoding, .contentMediaType,
  ]

  fileprivate mutating func texts(_ keywords: inout [SchemaKeyword]) {
    if let text = reader.text(.pattern), let pattern = pattern(text, at: ["pattern"]) {
      keywords.append(.pattern(pattern))
    }
    if let name = reader.text(.format), assertsFormats,
      let format = Format(named: name, in: reader.rules.dialect)
    {
      keywords.append(.format(format))
    }
    if let rule = content(), options.content == .assertion { keywords.append(.content(rule)) }
  }

  private mutating func content() -> ContentRule? {
    let encoding = reader.text(.contentEncoding)?.lowercased()
    let type = reader.text(.contentMediaType)?.lowercased().split(separator: ";").first
    let isBase64 = encoding == "base64"
    // What is in a text of another encoding can't be looked at.
    let isReadable = encoding == nil || isBase64
    let isJSON = isReadable && type == "application/json"
    return isBase64 || isJSON ? ContentRule(isBase64: isBase64, isJSON: isJSON) : nil
  }

  fileprivate mutating func pattern(_ text: String, at tokens: [String]) -> Pattern? {
    do {
      return try Pattern(text)
    } catch {
      let quoted = FoundText.quoted(text)
      report(
        .malformedPattern, current, tokens, "The pattern \(quoted) can't be used: \(error.message)")
      return nil
    }
  }
}

// MARK: - Objects and lists

extension SchemaCompiler {
  fileprivate static let ofObjects: KeywordSet = [
    .required, .dependentRequired, .dependencies, .propertyNames, .properties,
    .patternProperties, .additionalProperties,
  ]

  fileprivate mutating func objects(_ keywords: inout [SchemaKeyword]) {
    if let keys = reader.texts(.required), !keys.isEmpty { keywords.append(.required(keys)) }
    let dependents = dependentKeys()
    if !dependents.isEmpty { keywords.append(.dependentRequired(dependents)) }
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
    for (key, value) in reader.read(.dependentRequired, form, { $0.object }) ?? JSONObject() {
      guard let needed = KeywordReader.distinctTexts(value) else {
        reader.refuse(.dependentRequired, "must be \(form).")
        continue
      }
      dependents.append(DependentKeys(key: key, needed: needed))
    }
    for (key, value) in reader[.dependencies]?.object ?? JSONObject() where value.kind == .array {
      guard let needed = KeywordReader.distinctTexts(value) else {
        reader.refuse(.dependencies, "must be an object of schemas and arrays of strings.")
        continue
      }
      dependents.append(DependentKeys(keyword: "dependencies", key: key, needed: needed))
    }
    return dependents
  }

  fileprivate static let ofLists: KeywordSet = [
    .prefixItems, .items, .additionalItems, .uniqueItems, .contains, .minContains, .maxContains,
  ]

  fileprivate mutating func lists(_ keywords: inout [SchemaKeyword]) {
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
    let least = reader.count(.minContains) ?? 1
    let most = reader.count(.maxContains)
    if let node = schema(.contains) {
      let covers = reader.rules.containsCovers
      keywords.append(
        .contains(ContainsRule(node: node, least: least, most: most, covers: covers)))
    }
  }
}
