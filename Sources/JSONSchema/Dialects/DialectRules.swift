/// The keywords of one schema resource, and the rules of its draft.
struct DialectRules: Hashable, Sendable {
  let dialect: SchemaDialect
  /// The known keywords.
  private(set) var keywords: KeywordSet
  /// Whether the metaschema makes `format` an assertion.
  private(set) var assertsFormat = false

  /// Creates the rules of a draft.
  init(_ dialect: SchemaDialect) {
    self.dialect = dialect
    keywords = Self.keywords(of: dialect)
  }

  /// Creates the rules of a draft with the vocabularies of a metaschema.
  init(_ dialect: SchemaDialect, _ vocabularies: [(Vocabulary, isRequired: Bool)]) {
    self.dialect = dialect
    keywords = Vocabulary.core(of: dialect)
    for (vocabulary, isRequired) in vocabularies {
      keywords = keywords.union(vocabulary.keywords)
      assertsFormat = assertsFormat || vocabulary.assertsFormat(isRequired)
    }
  }

  /// The keyword that gives a schema its address.
  var naming: KeywordName { dialect == .draft4 ? .plainID : .id }

  /// Whether the fragment of `$id` names a place, as `$anchor` does since 2019-09.
  var namesByFragment: Bool { dialect < .draft2019 }

  /// Whether `$ref` disables the other keywords of its object.
  var hidesSiblings: Bool { dialect < .draft2019 }

  /// Whether `true` and `false` are schemas wherever a schema may be.
  var hasBooleans: Bool { dialect > .draft4 }

  /// Whether `items` may be a list, with `additionalItems` for the other elements.
  var hasItemLists: Bool { dialect < .draft2020 }

  /// Whether the elements that match `contains` count as evaluated.
  var containsCovers: Bool { dialect == .draft2020 }

  /// Whether `exclusiveMinimum` is a flag of `minimum`.
  var hasExclusiveFlags: Bool { dialect == .draft4 }

  /// Returns how a member of an object contains schemas.
  func holding(of token: String) -> KeywordName.Holding {
    guard let keyword = KeywordName.named(token), keywords.contains(keyword) else {
      return .nothing
    }
    return keyword.holding
  }
}

extension DialectRules {
  private static func keywords(of dialect: SchemaDialect) -> KeywordSet {
    switch dialect {
    case .draft4: draft4
    case .draft6: draft6
    case .draft7: draft7
    case .draft2019: draft2019
    case .draft2020: draft2020
    }
  }

  private static let draft4: KeywordSet = [
    .plainID, .schema, .ref, .definitions, .allOf, .anyOf, .oneOf, .not, .dependencies, .items,
    .additionalItems, .properties, .patternProperties, .additionalProperties, .type, .enum,
    .multipleOf, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .minLength,
    .maxLength, .pattern, .minItems, .maxItems, .uniqueItems, .minProperties, .maxProperties,
    .required, .format, .title, .description, .default, .errorMessage,
  ]

  private static let draft6 = draft4.subtracting([.plainID])
    .union([.id, .const, .contains, .propertyNames, .examples])

  private static let draft7 = draft6.union([
    .if, .then, .else, .readOnly, .writeOnly, .contentEncoding, .contentMediaType,
  ])

  // `definitions` and `dependencies` stay for schemas that were written for older drafts.
  private static let draft2019 = draft7.union([
    .anchor, .defs, .recursiveRef, .recursiveAnchor, .vocabulary,
    .dependentRequired, .dependentSchemas, .minContains, .maxContains, .unevaluatedItems,
    .unevaluatedProperties, .contentSchema, .deprecated,
  ])

  private static let draft2020 =
    draft2019
    .subtracting([.additionalItems, .recursiveRef, .recursiveAnchor])
    .union([.prefixItems, .dynamicRef, .dynamicAnchor])
}
