/// A vocabulary of 2019-09 or 2020-12 that a metaschema enables by `$vocabulary`.
struct Vocabulary {
  let dialect: SchemaDialect
  let keywords: KeywordSet
  /// Returns whether `format` is an assertion: always, or only if the metaschema requires the
  /// vocabulary.
  var assertsFormat: (_ isRequired: Bool) -> Bool = { _ in false }

  /// Returns the vocabulary with this address, or `nil` if it is unknown.
  init?(uri: String) {
    let drafts: [(SchemaDialect, String)] = [
      (.draft2020, "https://json-schema.org/draft/2020-12/vocab/"),
      (.draft2019, "https://json-schema.org/draft/2019-09/vocab/"),
    ]
    guard let (dialect, prefix) = drafts.first(where: { uri.hasPrefix($0.1) }),
      let keywords = Self.keywords(of: String(uri.dropFirst(prefix.count)), dialect)
    else { return nil }
    self.dialect = dialect
    self.keywords = keywords
    // Validation of 2019-09, section 7.2: a required vocabulary asserts. Validation of 2020-12,
    // section 7.2.2: another vocabulary asserts, and a validator that knows it asserts even if it
    // isn't required.
    if uri.hasSuffix("/format") { assertsFormat = { $0 } }
    if uri.hasSuffix("/format-assertion") { assertsFormat = { _ in true } }
  }

  private static func keywords(of name: String, _ dialect: SchemaDialect) -> KeywordSet? {
    let isLatest = dialect == .draft2020
    switch name {
    case "core": return core(of: dialect)
    case "applicator":
      return isLatest ? applicators.union([.prefixItems]) : applicators.union(onlyOf2019)
    case "unevaluated" where isLatest: return [.unevaluatedItems, .unevaluatedProperties]
    case "validation": return validation
    case "meta-data": return notes
    case "format" where !isLatest: return [.format]
    case "format-annotation" where isLatest, "format-assertion" where isLatest: return [.format]
    case "content": return [.contentEncoding, .contentMediaType, .contentSchema]
    default: return nil
    }
  }

  private static let onlyOf2019: KeywordSet = [
    .additionalItems, .unevaluatedItems, .unevaluatedProperties,
  ]

  /// Returns the keywords that every metaschema of a draft has, whether or not it names the
  /// vocabulary.
  static func core(of dialect: SchemaDialect) -> KeywordSet {
    let common: KeywordSet = [
      .id, .schema, .vocabulary, .ref, .anchor, .defs, .definitions,
      .errorMessage,
    ]
    return dialect == .draft2020
      ? common.union([.dynamicRef, .dynamicAnchor])
      : common.union([.recursiveRef, .recursiveAnchor])
  }

  private static let applicators: KeywordSet = [
    .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas, .dependencies, .items,
    .contains, .properties, .patternProperties, .additionalProperties, .propertyNames,
  ]

  private static let validation: KeywordSet = [
    .type, .const, .enum, .multipleOf, .minimum, .maximum, .exclusiveMinimum,
    .exclusiveMaximum, .minLength, .maxLength, .pattern, .minItems, .maxItems, .uniqueItems,
    .minContains, .maxContains, .minProperties, .maxProperties, .required, .dependentRequired,
  ]

  private static let notes: KeywordSet = [
    .title, .description, .default, .examples, .deprecated, .readOnly, .writeOnly,
  ]
}
