/// Finds chains of schemas that evaluate the same value without end or too often, before a value is
/// checked.
///
/// The target of a dynamic reference depends on the resources on the path to it. The search
/// therefore follows scoped schemas: a schema with the anchors that are fixed on a path to it.
struct SchemaLoops {
  /// The longest chain of schemas for the same value.
  static let maxChain = 128
  /// The largest number of scoped schemas that are followed. Further loops are left to the limits
  /// of a check.
  private static let maxScopedSchemas = 50_000
  private static let maxScopes = 1_000

  private struct ScopedSchema: Hashable {
    let node: Int
    let scope: Int
  }

  private struct Entrance: Hashable {
    let resource: Int
    let scope: Int
  }

  private let program: SchemaProgram
  /// The sets of anchors that are fixed on some path.
  private var scopes: [[String: Int]] = [[:]]
  private var scopeNumbers: [[String: Int]: Int] = [[:]: 0]
  private var entrances: [Entrance: Int] = [:]
  private var schemas: [ScopedSchema] = []
  private var numbers: [ScopedSchema: Int] = [:]
  /// For each scoped schema, those that evaluate the same value.
  private var partners: [[Int]] = []

  /// A schema that refers back to itself.
  private(set) var loop: Int?
  /// A schema at the start of a chain that is too long.
  private(set) var deep: Int?

  init(_ program: SchemaProgram) {
    self.program = program
    // A few schemas without references can't form a loop or a long chain.
    guard program.refers || program.nodes.count > Self.maxChain else { return }
    if program.isDynamic {
      visitAll()
    } else {
      schemas = program.nodes.indices.map { ScopedSchema(node: $0, scope: 0) }
      partners = program.nodes.map { $0.partners(in: [:]) }
    }
    takeAway()
  }

  private mutating func visitAll() {
    _ = number(of: 0, 0)
    var next = 0
    while next < schemas.count, schemas.count < Self.maxScopedSchemas, scopes.count < Self.maxScopes
    {
      let schema = schemas[next]
      let node = program.nodes[schema.node]
      partners.append(node.partners(in: scopes[schema.scope]).map { number(of: $0, schema.scope) })
      for part in node.keywords.flatMap(\.parts) { _ = number(of: part, schema.scope) }
      next += 1
    }
    // Schemas beyond the limit weren't followed.
    while partners.count < schemas.count { partners.append([]) }
  }

  private mutating func number(of node: Int, _ scope: Int) -> Int {
    let schema = ScopedSchema(
      node: node, scope: self.scope(in: program.nodes[node].resource, from: scope))
    if let known = numbers[schema] { return known }
    schemas.append(schema)
    numbers[schema] = schemas.count - 1
    return schemas.count - 1
  }

  /// Returns the scope after a resource is entered. The outermost anchor with a name stays.
  private mutating func scope(in resource: Int, from scope: Int) -> Int {
    let anchors = program.dynamicAnchors[resource]
    guard !anchors.isEmpty else { return scope }
    let entrance = Entrance(resource: resource, scope: scope)
    if let known = entrances[entrance] { return known }
    let fixed = scopes[scope].merging(anchors) { outer, _ in outer }
    let number = scopeNumbers[fixed] ?? scopes.count
    if number == scopes.count {
      scopes.append(fixed)
      scopeNumbers[fixed] = number
    }
    entrances[entrance] = number
    return number
  }

  /// Removes every schema whose partners are all removed. The remaining ones lead into a loop.
  private mutating func takeAway() {
    var dependents = Array(repeating: [Int](), count: partners.count)
    for (index, partners) in partners.enumerated() {
      for partner in partners { dependents[partner].append(index) }
    }
    var waiting = partners.map(\.count)
    var heights = Array(repeating: 0, count: waiting.count)
    var ready = waiting.indices.filter { waiting[$0] == 0 }
    while let index = ready.popLast() {
      for dependent in dependents[index] {
        heights[dependent] = max(heights[dependent], heights[index] + 1)
        waiting[dependent] -= 1
        if waiting[dependent] == 0 { ready.append(dependent) }
      }
    }
    deep = heights.firstIndex { $0 > Self.maxChain }.map { schemas[$0].node }
    loop = place(in: waiting)
  }

  private func place(in waiting: [Int]) -> Int? {
    guard var index = waiting.firstIndex(where: { $0 > 0 }) else { return nil }
    var seen: Set<Int> = []
    while seen.insert(index).inserted,
      // Any of them leads into a loop. The smallest one makes the report the same in every run.
      let next = partners[index].filter({ waiting[$0] > 0 }).min()
    {
      index = next
    }
    return schemas[index].node
  }
}

extension SchemaNode {
  /// Returns the nodes that evaluate the same value, if the anchors of `scope` are fixed.
  fileprivate func partners(in scope: [String: Int]) -> [Int] {
    keywords.flatMap { keyword -> [Int] in
      guard case .dynamicReference(let node, let anchor) = keyword else { return keyword.partners }
      return [scope[anchor] ?? node]
    }
  }
}

extension SchemaKeyword {
  /// The nodes that evaluate parts of the value.
  fileprivate var parts: [Int] {
    switch self {
    case .properties(let rules):
      rules.named.nodes + rules.matching.map(\.node) + (rules.others.map { [$0] } ?? [])
    case .elements(let rules): rules.prefix + (rules.rest.map { [$0] } ?? [])
    case .contains(let rule): [rule.node]
    case .propertyNames(let node), .unevaluatedItems(let node), .unevaluatedProperties(let node):
      [node]
    default: []
    }
  }
}
