/// The keywords of all drafts that the compiler knows.
enum KeywordName: UInt8, CaseIterable, Sendable {
  // The names of schemas, and references.
  case id, schema, vocabulary, ref, anchor, defs
  case dynamicRef, dynamicAnchor, recursiveRef, recursiveAnchor
  case plainID, definitions
  // The schemas for the same value.
  case allOf, anyOf, oneOf, not, `if`, then, `else`, dependentSchemas, dependencies
  // The schemas for parts of the value.
  case prefixItems, items, additionalItems, contains, unevaluatedItems
  case properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties
  // Demands.
  case type, const, `enum`, multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum
  case minLength, maxLength, pattern, minItems, maxItems, uniqueItems, minContains, maxContains
  case minProperties, maxProperties, required, dependentRequired
  // Annotations.
  case format, contentEncoding, contentMediaType, contentSchema
  case title, description, `default`, examples, deprecated, readOnly, writeOnly
  // The keyword of this library.
  case errorMessage

  /// The keyword as it is written in a schema.
  var text: String { Self.texts[Int(rawValue)] }

  /// Returns the keyword with this name, or `nil` if there is none.
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
  /// The way in which a keyword contains schemas.
  enum Holding: Sendable {
    case nothing
    /// The value is a schema.
    case one
    /// The value is a list of schemas.
    case list
    /// The value is an object of schemas.
    case map
    /// The value is a schema, or a list of schemas in the drafts up to 2019-09.
    case oneOrList
  }

  /// The way in which the keyword contains schemas.
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
