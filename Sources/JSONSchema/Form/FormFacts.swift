import AgentJSON

/// The combined facts of several schemas for the same value.
struct FormFacts {
  private(set) var nodes: [SchemaNode] = []
  private var schemas: [Int] = []
  private(set) var isNullable = false
  private let program: SchemaProgram

  /// Combines `schemas` with all that `$ref` and `allOf` add. A choice of null and one other schema
  /// becomes that schema, with null allowed.
  init(_ schemas: [Int], _ program: SchemaProgram) {
    self.program = program
    add(schemas)
    let types = types
    isNullable = types != .all && types.contains(.null) || values?.contains(.null) == true
    for choice in choices {
      let others = choice.filter { !isNull($0) }
      guard others.count < choice.count else { continue }
      isNullable = true
      if others.count == 1 { add(others) }
    }
  }

  private mutating func add(_ schemas: [Int]) {
    for schema in schemas.flatMap(program.conjunction) where !self.schemas.contains(schema) {
      self.schemas.append(schema)
      nodes.append(program.nodes[schema])
    }
  }

  private func isNull(_ schema: Int) -> Bool {
    program.nodes[schema].keywords.contains { keyword in
      switch keyword {
      case .type(let types): types == .null
      case .const(let value): value.isNull
      default: false
      }
    }
  }

  /// The schemas with demands of their own. Groups with the same ones have equal forms.
  var identity: [Int] {
    schemas.filter { schema in
      program.nodes[schema].keywords.contains { keyword in
        switch keyword {
        case .reference, .dynamicReference, .allOf: false
        default: true
        }
      }
    }
  }

  var keywords: [SchemaKeyword] { nodes.flatMap(\.keywords) }

  var title: String? { nodes.lazy.compactMap(\.notes.title).first { !$0.isEmpty } }
  var help: String? { nodes.lazy.compactMap(\.notes.description).first { !$0.isEmpty } }
  var defaultValue: JSONValue? { nodes.lazy.compactMap(\.notes.defaultValue).first }
  var examples: [JSONValue] { nodes.lazy.map(\.notes.examples).first { !$0.isEmpty } ?? [] }
  var notes: [SchemaNotes] { nodes.map(\.notes) }

  func isMarked(_ mark: String) -> Bool { nodes.contains { $0.notes.marks.contains(mark) } }

  /// Returns the value of an annotation, such as `format`.
  func text(_ keyword: String) -> String? {
    nodes.lazy.compactMap { $0.source[keyword]?.string }.first
  }

  /// The listed values. `nil` if there are none.
  var values: [JSONValue]? {
    for keyword in keywords {
      if case .const(let value) = keyword { return [value] }
    }
    for keyword in keywords {
      if case .enumeration(let choice) = keyword { return choice.values }
    }
    return nil
  }

  /// The allowed types.
  var types: TypeSet {
    var types = TypeSet.all
    for case .type(let own) in keywords { types.formIntersection(own) }
    return types
  }

  /// The required keys.
  var required: Set<String> {
    var required: Set<String> = []
    for case .required(let keys) in keywords { required.formUnion(keys) }
    return required
  }

  /// The keys of an object in order, each with its schemas.
  var properties: [(key: String, schemas: [Int])] {
    var order: [String] = []
    var schemas: [String: [Int]] = [:]
    for case .properties(let rules) in keywords {
      for key in rules.order {
        if schemas[key] == nil { order.append(key) }
        if let node = rules.named[key] { schemas[key, default: []].append(node) }
      }
    }
    return order.map { ($0, schemas[$0] ?? []) }
  }

  /// The schemas of keys without a name in the schema. `nil` if such keys are forbidden, or nothing
  /// describes them.
  var others: [Int]? {
    var found: [Int] = []
    for case .properties(let rules) in keywords {
      found += rules.matching.map(\.node)
      if let others = rules.others { found.append(others) }
    }
    found.removeAll { program.nodes[$0].isNever }
    return found.isEmpty ? nil : found
  }

  /// The schemas of the first elements, and of the others.
  var elements: (first: [Int], rest: Int?) {
    for case .elements(let rules) in keywords {
      let rest = rules.rest.flatMap { program.nodes[$0].isNever ? nil : $0 }
      return (rules.prefix, rest)
    }
    return ([], nil)
  }

  /// The branches of `anyOf` and `oneOf`.
  var choices: [[Int]] {
    keywords.compactMap { keyword in
      switch keyword {
      case .anyOf(let branches), .oneOf(let branches): branches
      default: nil
      }
    }
  }

  /// A rule that applies if a key has one of certain values.
  struct Conditional {
    let rule: ConditionalRule
    let key: String
    let values: [JSONValue]
  }

  /// The rules of every `if` that tests certain values of a key.
  var conditionals: [Conditional] {
    keywords.compactMap { keyword in
      guard case .conditional(let rule) = keyword,
        let fixed = program.fixedKeys(rule.condition).first
      else { return nil }
      return Conditional(rule: rule, key: fixed.key, values: fixed.values)
    }
  }

  /// Whether there is any fact that a form can show.
  var saysAnything: Bool {
    types != .all || values != nil || !properties.isEmpty || !choices.isEmpty || others != nil
  }
}
