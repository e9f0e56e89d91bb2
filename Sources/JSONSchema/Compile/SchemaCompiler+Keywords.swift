import AgentJSON

extension SchemaCompiler {
  /// Returns the keywords of the current schema, in the order of their evaluation.
  mutating func keywords() -> [SchemaKeyword] {
    // A schema has keywords of few groups. Each of the others costs one comparison.
    var keywords: [SchemaKeyword] = []
    if !reader.present.isDisjoint(with: Self.ofValues) { values(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofTexts) { texts(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofObjects) { objects(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofLists) { lists(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofNames) { checkNames() }
    if !reader.present.isDisjoint(with: Self.ofReferences) { references(&keywords) }
    if !reader.present.isDisjoint(with: Self.ofCombinations) { combinations(&keywords) }
    // Last, because they depend on the members that all others have evaluated.
    if let node = schema(.unevaluatedItems) { keywords.append(.unevaluatedItems(node)) }
    if let node = schema(.unevaluatedProperties) { keywords.append(.unevaluatedProperties(node)) }
    return keywords
  }

  private static let ofValues: KeywordSet = [
    .type, .const, .enum, .multipleOf, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum,
    .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties,
  ]

  private mutating func values(_ keywords: inout [SchemaKeyword]) {
    // First, because the fast program is lowered for these kinds only, and a value of the wrong
    // type needs no second message about its constant.
    if let types = reader.types() { keywords.append(.type(types)) }
    if let value = reader[.const] { keywords.append(.const(value)) }
    if let values = reader.list(.enum) { keywords.append(.enumeration(ValueChoice(values))) }
    if let divisor = reader.divisor(.multipleOf) { keywords.append(.multipleOf(divisor)) }
    bounds(&keywords)
    for size in Self.sizes {
      guard let limit = reader.count(size.keyword) else { continue }
      keywords.append(
        .size(
          SizeBound(
            keyword: size.keyword.text, measure: size.measure, isMinimum: size.isMinimum,
            limit: limit)))
    }
  }

  private static let sizes: [(keyword: KeywordName, measure: SizeBound.Measure, isMinimum: Bool)] =
    [
      (.minLength, .characters, true), (.maxLength, .characters, false),
      (.minItems, .elements, true), (.maxItems, .elements, false),
      (.minProperties, .keys, true), (.maxProperties, .keys, false),
    ]

  private mutating func bounds(_ keywords: inout [SchemaKeyword]) {
    for rule in Self.limits {
      var relation = rule.relation
      // In draft 4, `exclusiveMinimum` is a flag that makes `minimum` exclusive.
      if reader.rules.hasExclusiveFlags {
        if reader.flag(rule.flag) { relation = rule.exclusive }
      } else if let limit = reader.number(rule.flag) {
        keywords.append(.bound(NumberBound(relation: rule.exclusive, limit: limit)))
      }
      guard let limit = reader.number(rule.keyword) else { continue }
      keywords.append(.bound(NumberBound(relation: relation, limit: limit)))
    }
  }

  private static let limits:
    [(
      keyword: KeywordName, flag: KeywordName, relation: NumberBound.Relation,
      exclusive: NumberBound.Relation
    )] = [
      (.minimum, .exclusiveMinimum, .minimum, .exclusiveMinimum),
      (.maximum, .exclusiveMaximum, .maximum, .exclusiveMaximum),
    ]
}
