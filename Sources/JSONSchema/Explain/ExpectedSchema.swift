import AgentJSON

/// The schema of a wrong value, for advice: a suggestion should match it.
struct ExpectedSchema {
  let program: SchemaProgram
  let schema: SchemaNode

  init(program: SchemaProgram, schema: SchemaNode) {
    self.program = program
    self.schema = schema
  }

  init(_ node: Int, _ program: SchemaProgram) {
    self.init(program: program, schema: program.nodes[node])
  }

  /// The number of steps for testing one suggestion. It is small, because every failure may need
  /// advice.
  private static let steps = 250

  /// Returns whether the schema accepts a value, as far as few steps can show it.
  func admits(_ value: JSONValue) -> Bool {
    guard let index else { return false }
    var evaluation = Evaluation(program, collects: false)
    let node = JSONDocument(value).root
    return evaluation.run(index, node, steps: Self.steps + node.range.count)
  }

  /// The notes about the value, those of its own schema first.
  var notes: [SchemaNotes] { members.map(\.notes) }

  /// Returns a value that the schema gives as an example, or its default.
  func example(of types: TypeSet) -> JSONValue? {
    let given = notes.flatMap { $0.examples + ($0.defaultValue.map { [$0] } ?? []) }
    return given.first { types.isSuperset(of: TypeSet(of: $0)) && $0.text().utf8.count <= 60 }
  }

  /// The values that the schema lists, if any.
  var values: [JSONValue]? { index.flatMap(program.values(of:)) }

  /// The types that the schema allows.
  var types: TypeSet { index.map { program.types(of: $0) } ?? .all }

  /// The types that the schema allows for elements.
  var elementTypes: TypeSet {
    var types = TypeSet.all
    for case .elements(let rules) in members.flatMap(\.keywords) {
      if let node = rules.node(at: 0) { types.formIntersection(program.types(of: node)) }
    }
    return types
  }

  /// Whether the expected object has keys that the user chooses, with objects as values.
  var isMap: Bool {
    members.flatMap(\.keywords).contains { keyword in
      guard case .properties(let rules) = keyword, rules.named.isEmpty, let others = rules.others
      else { return false }
      return program.types(of: others) == .object
    }
  }

  /// The keys of the expected object, the required ones first.
  var keys: (required: [String], others: [String]) {
    let required = members.flatMap(\.keywords).flatMap { keyword -> [String] in
      if case .required(let keys) = keyword { keys } else { [] }
    }.uniqued()
    let known = members.flatMap(\.keywords).flatMap { keyword -> [String] in
      if case .properties(let rules) = keyword { rules.order } else { [] }
    }.uniqued()
    return (required, known.filter { !required.contains($0) })
  }

  /// Returns the key for a single value in an object: the only one that the object needs.
  func soleKey(for value: JSONValue) -> String? {
    let keys = keys
    if keys.required.count == 1, takes(value, under: keys.required[0]) { return keys.required[0] }
    let isSwitch = keys.required.isEmpty && value.kind == .bool
    return isSwitch ? keys.others.first { $0 == "enabled" && takes(value, under: $0) } : nil
  }

  private func takes(_ value: JSONValue, under key: String) -> Bool {
    for case .properties(let rules) in members.flatMap(\.keywords) {
      guard let node = rules.named[key] else { continue }
      return program.types(of: node).isSuperset(of: TypeSet(of: value))
    }
    return false
  }

  /// The schema of the elements.
  var element: ExpectedSchema? {
    for case .elements(let rules) in members.flatMap(\.keywords) {
      return rules.node(at: 0).map { ExpectedSchema($0, program) }
    }
    return nil
  }

  private var members: [SchemaNode] {
    index.map { program.conjunction(of: $0).map { program.nodes[$0] } } ?? [schema]
  }

  private var index: Int? { program.nodes.firstIndex { $0 === schema } }
}

extension SchemaProgram {
  /// Returns the types that a schema allows, by itself or through its references.
  func types(of node: Int, depth: Int = 0) -> TypeSet {
    var types = TypeSet.all
    // Deeper nested choices would only take time.
    guard depth < 4 else { return types }
    for keyword in conjunction(of: node).flatMap({ nodes[$0].keywords }) {
      switch keyword {
      case .never: types = []
      case .type(let own): types.formIntersection(own)
      case .const(let value): types.formIntersection(TypeSet(of: value))
      case .enumeration(let choice):
        types.formIntersection(choice.values.reduce([]) { $0.union(TypeSet(of: $1)) })
      case .anyOf(let branches), .oneOf(let branches):
        types.formIntersection(
          branches.reduce([]) { $0.union(self.types(of: $1, depth: depth + 1)) })
      default: break
      }
    }
    return types
  }
}
