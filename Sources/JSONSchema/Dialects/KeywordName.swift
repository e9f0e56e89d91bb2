/// The keywords that mean something to the compiler, of all drafts.
enum KeywordName: UInt8, CaseIterable, Sendable {
  // Names of schemas, and references.
  case id, schema, vocabulary, ref, anchor, defs
  case dynamicRef, dynamicAnchor, recursiveRef, recursiveAnchor
  case plainID, definitions
  // Schemas for the same value.
  case allOf, anyOf, oneOf, not, `if`, then, `else`, dependentSchemas, dependencies
  // Schemas for parts of the value.
  case prefixItems, items, additionalItems, contains, unevaluatedItems
  case properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties
  // Demands.
  case type, const, `enum`, multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum
  case minLength, maxLength, pattern, minItems, maxItems, uniqueItems, minContains, maxContains
  case minProperties, maxProperties, required, dependentRequired
  // Annotations.
  case format, contentEncoding, contentMediaType, contentSchema
  case title, description, `default`, examples, deprecated, readOnly, writeOnly
  // Our own.
  case errorMessage

  /// The keyword as a schema writes it.
  var text: String { Self.texts[Int(rawValue)] }

  /// The keyword that a schema writes so; nil where it is none.
  static func named(_ text: String) -> KeywordName? { byText[text] }

  private static let texts = allCases.map { keyword in
    switch keyword {
    case .plainID: "id"
    case .id, .schema, .vocabulary, .ref, .anchor, .defs, .dynamicRef, .dynamicAnchor,
      .recursiveRef, .recursiveAnchor:
      "$\(keyword)"
    default: "\(keyword)"
    }
  }
  private static let byText = Dictionary(uniqueKeysWithValues: zip(texts, allCases))
}

extension KeywordName {
  /// How the keyword holds schemas.
  enum Holding: Sendable {
    case nothing
    /// It is one.
    case one
    /// It is a list of them.
    case list
    /// It is an object of them.
    case map
    /// It is one, or a list of them in the drafts until 2019-09.
    case oneOrList
  }

  /// How the keyword holds schemas.
  var holding: Holding {
    switch self {
    case .not, .if, .then, .else, .additionalItems, .contains, .unevaluatedItems,
      .additionalProperties, .propertyNames, .unevaluatedProperties, .contentSchema:
      .one
    case .allOf, .anyOf, .oneOf, .prefixItems: .list
    case .defs, .definitions, .properties, .patternProperties, .dependentSchemas,
      .dependencies:
      .map
    case .items: .oneOrList
    default: .nothing
    }
  }
}
