import AgentJSON
import ECMARegex

/// Walks through a schema and a value in parallel, to find what the schema says about parts of the
/// value.
///
/// All branches of `anyOf` and `oneOf` count, unless a function says otherwise. For an `if`, the
/// side for the value counts, or both if there is no value.
struct SchemaWalk {
  let program: SchemaProgram

  /// Returns the schemas that a keyword applies to the same value. Without a value, both sides of
  /// an `if` count.
  func applicable(_ keyword: SchemaKeyword, to instance: JSONNode?) -> [Int] {
    switch keyword {
    case .reference(let target), .dynamicReference(let target, _): [target]
    case .allOf(let targets), .anyOf(let targets), .oneOf(let targets): targets
    case .conditional(let rule): sides(of: rule, for: instance)
    case .dependentSchemas(let schemas):
      schemas.applying(to: instance).map(\.node)
    default: []
    }
  }

  /// Returns `schemas` and all that apply to the same value with them.
  func closure(of schemas: [Int], for instance: JSONNode?) -> [Int] {
    program.closure(of: schemas) { applicable($0, to: instance) }
  }

  /// Returns `schema` and all that apply to the same value with it.
  func companions(of schema: SchemaNode, for instance: JSONNode?) -> [SchemaNode] {
    let others = schema.keywords.flatMap { applicable($0, to: instance) }
    return [schema] + closure(of: others, for: instance).map { program.nodes[$0] }
  }

  /// Returns the keys of an object that a schema or one of its companions names.
  func knownKeys(of schema: SchemaNode, for instance: JSONNode?) -> [String] {
    companions(of: schema, for: instance).flatMap(\.keywords).flatMap { keyword -> [String] in
      if case .properties(let rules) = keyword { rules.order } else { [] }
    }.uniqued()
  }

  /// Returns the keys whose values decide an `if` of a schema or of one of its companions.
  func decidingKeys(of schema: SchemaNode, for instance: JSONNode) -> [String] {
    companions(of: schema, for: instance).flatMap(\.keywords).flatMap { keyword -> [String] in
      guard case .conditional(let rule) = keyword else { return [] }
      return program.fixedKeys(rule.condition).map(\.key)
    }.uniqued()
  }

  /// Returns the schema of a key for a message about adding it. A schema with texts of its own is
  /// preferred.
  /// - Parameter companions: the companions of the object's schema.
  func schema(of key: String, among companions: [SchemaNode]) -> Int? {
    var found: [Int] = []
    for companion in companions {
      for case .properties(let rules) in companion.keywords {
        if let node = rules.named[key] { found.append(node) }
      }
    }
    return found.first { program.note(on: $0) != nil } ?? found.first
  }

  private func sides(of rule: ConditionalRule, for instance: JSONNode?) -> [Int] {
    guard let instance else { return [rule.then, rule.otherwise].compactMap(\.self) }
    let side = fits(rule.condition, instance) ? rule.then : rule.otherwise
    return side.map { [$0] } ?? []
  }

  func fits(_ node: Int, _ instance: JSONNode) -> Bool {
    var evaluation = Evaluation(program, collects: false)
    return evaluation.run(node, instance)
  }

  /// Returns the schemas of a member or element by one keyword of its container.
  func parts(_ keyword: SchemaKeyword, at token: String, _ isElement: Bool) -> [Int] {
    switch keyword {
    case .properties(let rules): isElement ? [] : rules.nodes(for: token)
    case .elements(let rules): isElement ? Int(token).flatMap(rules.node).map { [$0] } ?? [] : []
    case .unevaluatedProperties(let target): isElement ? [] : [target]
    case .unevaluatedItems(let target): isElement ? [target] : []
    default: []
    }
  }
}

extension PropertyRules {
  /// Returns the schemas of a member with this name.
  func nodes(for key: String) -> [Int] {
    let found =
      (named[key].map { [$0] } ?? [])
      + matching.filter { $0.pattern.matches(key) }.map(\.node)
    return found.isEmpty ? others.map { [$0] } ?? [] : found
  }
}
