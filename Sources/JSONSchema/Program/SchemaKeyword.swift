import AgentJSON
import ECMARegex

/// A demand of a schema. Its operands are checked, and its references are replaced by indexes.
///
/// It is the same for all drafts, because the compiler resolves their differences. The order of a
/// schema's demands matters. `type` comes first. `unevaluated…` come last, because they depend on
/// the parts that the others have evaluated.
enum SchemaKeyword: Sendable {
  /// No value matches: the schema `false`.
  case never
  /// The value has one of the types. Draft 4's `integer` is `TypeSet.plainInteger`.
  case type(TypeSet)
  case const(JSONValue)
  case enumeration(ValueChoice)
  case multipleOf(JSONNumber)
  case bound(NumberBound)
  case size(SizeBound)
  case pattern(Pattern)
  case format(Format)
  /// A text has the form of `contentEncoding` and `contentMediaType`. It only exists if the options
  /// require it.
  case content(ContentRule)
  case required([String])
  /// It includes the lists of keys in the `dependencies` of the older drafts.
  case dependentRequired(DependentRules<DependentKeys>)
  case propertyNames(Int)
  case properties(PropertyRules)
  /// `prefixItems` and `items`, or `items` and `additionalItems` of the older drafts.
  case elements(ElementRules)
  case uniqueItems
  case contains(ContainsRule)
  case reference(Int)
  /// The schema with the anchor in the outermost resource on the path, otherwise the node. The
  /// empty name represents `$recursiveAnchor` of 2019-09.
  case dynamicReference(Int, anchor: String)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case conditional(ConditionalRule)
  /// It includes the schemas in the `dependencies` of the older drafts.
  case dependentSchemas(DependentRules<DependentSchema>)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)
}

/// `minimum` and similar keywords. Draft 4's `exclusiveMinimum: true` beside `minimum: 5` becomes
/// an `exclusiveMinimum` of 5.
struct NumberBound: Sendable {
  enum Relation: String, Sendable, CaseIterable {
    case minimum, maximum, exclusiveMinimum, exclusiveMaximum
  }

  let relation: Relation
  let limit: JSONNumber

  func admits(_ number: JSONNumber) -> Bool {
    switch relation {
    case .minimum: number >= limit
    case .maximum: number <= limit
    case .exclusiveMinimum: number > limit
    case .exclusiveMaximum: number < limit
    }
  }
}

/// The smallest or largest size of a text, a list or an object.
struct SizeBound: Sendable {
  enum Measure: Sendable { case characters, elements, keys }

  let keyword: String
  let measure: Measure
  let isMinimum: Bool
  let limit: Int
}

/// The keys that are required if `key` exists.
struct DependentKeys: DependentRule {
  /// `dependentRequired` or `dependencies`.
  var keyword = "dependentRequired"
  let key: String
  let needed: [String]
}

/// The schema that an object must match if `key` exists.
struct DependentSchema: DependentRule {
  /// `dependentSchemas` or `dependencies`.
  var keyword = "dependentSchemas"
  let key: String
  let node: Int
}

/// `properties`, `patternProperties` and `additionalProperties`.
struct PropertyRules: Sendable {
  struct Matching: Sendable {
    let pattern: Pattern
    let node: Int
  }

  var named = KeyTable()
  var matching: [Matching] = []
  var others: Int?

  /// The named keys, in the order of the schema.
  var order: [String] { named.keys }
}

/// The schemas of elements by their position.
struct ElementRules: Sendable {
  var prefix: [Int] = []
  var rest: Int?

  func node(at index: Int) -> Int? {
    index < prefix.count ? prefix[index] : rest
  }
}

/// `contains` with `minContains` and `maxContains`.
struct ContainsRule: Sendable {
  let node: Int
  let least: Int
  let most: Int?
  /// Whether matching elements count as evaluated, as they do since 2020-12.
  let covers: Bool
}

/// The parts of `contentEncoding` and `contentMediaType` that can be checked.
struct ContentRule: Sendable {
  /// Whether the text is base64 (RFC 4648, section 4).
  let isBase64: Bool
  /// Whether the text, decoded if it is encoded, is a JSON document.
  let isJSON: Bool
}

/// `if`, `then` and `else`.
struct ConditionalRule: Sendable {
  let condition: Int
  let then: Int?
  let otherwise: Int?
}

extension SchemaKeyword {
  /// Whether it may evaluate all members or elements of a value.
  var looksInside: Bool {
    switch self {
    case .required, .dependentRequired, .dependentSchemas, .propertyNames, .properties, .elements,
      .uniqueItems, .contains, .unevaluatedItems, .unevaluatedProperties:
      true
    default: false
    }
  }

  /// The nodes that evaluate the same value.
  var partners: [Int] {
    switch self {
    case .reference(let node), .dynamicReference(let node, _), .not(let node): [node]
    case .allOf(let nodes), .anyOf(let nodes), .oneOf(let nodes): nodes
    case .conditional(let rule): [rule.condition, rule.then, rule.otherwise].compactMap(\.self)
    case .dependentSchemas(let schemas): schemas.all.map(\.node)
    default: []
    }
  }
}
