import AgentJSON
import ECMARegex

/// A demand, its operands checked and its references replaced by indexes.
///
/// It is the same for all drafts: compiling settles the differences, so that a check needs to know
/// nothing of drafts. The order of a schema's demands matters: `type` comes first, and
/// `unevaluated…` come last, because they ask what the others looked at.
enum SchemaKeyword: Sendable {
  /// Nothing fits: the schema `false`.
  case never
  /// The value is of one of the types. Draft 4's `integer` is `TypeSet.plainInteger`.
  case type(TypeSet)
  case const(JSONValue)
  case enumeration(ValueChoice)
  case multipleOf(JSONNumber)
  case bound(NumberBound)
  case size(SizeBound)
  case pattern(Pattern)
  case format(Format)
  /// A text has the form of `contentEncoding` and `contentMediaType`. There only where the options
  /// ask for it.
  case content(ContentRule)
  case required([String])
  /// Also the lists of keys in the `dependencies` of the older drafts.
  case dependentRequired(DependentRules<DependentKeys>)
  case propertyNames(Int)
  case properties(PropertyRules)
  /// `prefixItems` and `items`, or `items` and `additionalItems` of the older drafts.
  case elements(ElementRules)
  case uniqueItems
  case contains(ContainsRule)
  case reference(Int)
  /// The schema of the outermost resource on the way here that has the anchor, else the node. The
  /// empty name stands for `$recursiveAnchor` of 2019-09.
  case dynamicReference(Int, anchor: String)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case conditional(ConditionalRule)
  /// Also the schemas in the `dependencies` of the older drafts.
  case dependentSchemas(DependentRules<DependentSchema>)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)
}

/// `minimum` and its three siblings; draft 4's `exclusiveMinimum: true` beside `minimum: 5` is an
/// `exclusiveMinimum` of 5.
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

/// The least or greatest size of a text, a list or an object.
struct SizeBound: Sendable {
  enum Measure: Sendable { case characters, elements, keys }

  let keyword: String
  let measure: Measure
  let isMinimum: Bool
  let limit: Int
}

/// Keys that must be there when `key` is.
struct DependentKeys: DependentRule {
  /// `dependentRequired` or `dependencies`.
  var keyword = "dependentRequired"
  let key: String
  let needed: [String]
}

/// The schema that an object must fit when it has `key`.
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

  /// The named keys in the order of the schema.
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
  /// Whether the elements that fit count as looked at, which they do since 2020-12.
  let covers: Bool
}

/// `contentEncoding` and `contentMediaType`, as far as they can be checked.
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
  /// Whether it may go through all members or elements of a value.
  var looksInside: Bool {
    switch self {
    case .required, .dependentRequired, .dependentSchemas, .propertyNames, .properties, .elements,
      .uniqueItems, .contains, .unevaluatedItems, .unevaluatedProperties:
      true
    default: false
    }
  }

  /// The nodes that look at the same value.
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
