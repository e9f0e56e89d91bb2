import AgentJSON

/// One compiled schema: a place in the flat program. Other nodes are named by their index in it.
///
/// Rationale: a class, though a value in all it does, because a check hands it around at every
/// step, and a struct of this size would be copied each time.
final class SchemaNode: Sendable {
  /// Where it stands in its document.
  let pointer: JSONPointer
  /// The schema resource (what has an `$id` of its own) that it belongs to.
  let resource: Int
  /// What it demands, cheap things first and `unevaluated…` last.
  let keywords: [SchemaKeyword]
  let notes: SchemaNotes
  /// Whether it needs to know what its parts have looked at, for `unevaluated…`.
  let tracks: Bool
  let isDeprecated: Bool

  init(
    pointer: JSONPointer, resource: Int, keywords: [SchemaKeyword] = [],
    notes: SchemaNotes = SchemaNotes()
  ) {
    self.pointer = pointer
    self.resource = resource
    self.keywords = keywords
    self.notes = notes
    tracks = keywords.contains { keyword in
      switch keyword {
      case .unevaluatedItems, .unevaluatedProperties: true
      default: false
      }
    }
    isDeprecated = notes.marks.contains("deprecated")
  }

  /// Whether it refuses everything.
  var isNever: Bool {
    if case .never? = keywords.first { return true }
    return false
  }
}

extension SchemaNode {
  /// Whether it demands that an object has the key.
  func requires(_ key: String) -> Bool {
    keywords.contains { keyword in
      if case .required(let keys) = keyword { keys.contains(key) } else { false }
    }
  }
}

/// What a schema says to people and programs without demanding anything.
struct SchemaNotes: Sendable {
  var title: String?
  var description: String?
  var defaultValue: JSONValue?
  /// Messages by keyword; under the empty name the one for all keywords.
  var messages: [String: String] = [:]
  /// The keywords that are `true`, such as `writeOnly` and `deprecated`.
  var marks: Set<String> = []
}

/// A demand, its operands checked and its references replaced by indexes.
enum SchemaKeyword: Sendable {
  case never
  case type(TypeSet)
  case const(JSONValue)
  case enumeration([JSONValue])
  case multipleOf(JSONNumber)
  case bound(NumberBound)
  case size(SizeBound)
  case pattern(Pattern)
  case format(Format)
  case required([String])
  case dependentRequired([DependentKeys])
  case propertyNames(Int)
  case properties(PropertyRules)
  case elements(ElementRules)
  case uniqueItems
  case contains(ContainsRule)
  case reference(Int)
  case dynamicReference(Int, anchor: String)
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case conditional(ConditionalRule)
  case dependentSchemas([DependentSchema])
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)
}

/// `minimum` and its three siblings.
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
struct DependentKeys: Sendable {
  let key: String
  let needed: [String]
}

/// The schema that an object must fit when it has `key`.
struct DependentSchema: Sendable {
  let key: String
  let node: Int
}

/// `properties`, `patternProperties` and `additionalProperties`.
struct PropertyRules: Sendable {
  struct Matching: Sendable {
    let pattern: Pattern
    let node: Int
  }

  var named: [String: Int] = [:]
  /// The named keys in the order of the schema.
  var order: [String] = []
  var matching: [Matching] = []
  var others: Int?
}

/// `prefixItems` and `items`.
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
}

/// `if`, `then` and `else`.
struct ConditionalRule: Sendable {
  let condition: Int
  let then: Int?
  let otherwise: Int?
}

extension SchemaNode {
  /// The nodes that look at the same value as this one: what makes an endless loop when they lead
  /// back here.
  var partners: [Int] {
    keywords.flatMap { keyword -> [Int] in
      switch keyword {
      case .reference(let node), .dynamicReference(let node, _), .not(let node): [node]
      case .allOf(let nodes), .anyOf(let nodes), .oneOf(let nodes): nodes
      case .conditional(let rule): [rule.condition, rule.then, rule.otherwise].compactMap(\.self)
      case .dependentSchemas(let schemas): schemas.map(\.node)
      default: []
      }
    }
  }
}
