/// Finds chains of schemas that look at one and the same value for ever, or for too long, before
/// any value is checked.
///
/// The target of a dynamic reference depends on the resources on the way to it. The search goes
/// through spots: a schema together with the anchors that are fixed on a way to it.
struct SchemaLoops {
  /// A longer chain of schemas for one and the same value is refused.
  static let maxChain = 128
  /// The most spots that are followed. Loops beyond them are left to the limits of a check.
  private static let maxSpots = 50_000
  private static let maxScopes = 1_000

  private struct Spot: Hashable {
    let node: Int
    let scope: Int
  }

  private struct Entrance: Hashable {
    let resource: Int
    let scope: Int
  }

  private let program: SchemaProgram
  /// The sets of anchors that are fixed on some way.
  private var scopes: [[String: Int]] = [[:]]
  private var scopeNumbers: [[String: Int]: Int] = [[:]: 0]
  private var entrances: [Entrance: Int] = [:]
  private var spots: [Spot] = []
  private var numbers: [Spot: Int] = [:]
  /// For each spot the spots that look at the same value.
  private var partners: [[Int]] = []

  /// A schema that leads back to itself.
  private(set) var loop: Int?
  /// A schema from which too long a chain starts.
  private(set) var deep: Int?

  init(_ program: SchemaProgram) {
    self.program = program
    // A few schemas that refer to nothing can neither form a loop nor a long chain.
    guard program.refers || program.nodes.count > Self.maxChain else { return }
    if program.isDynamic {
      followAll()
    } else {
      spots = program.nodes.indices.map { Spot(node: $0, scope: 0) }
      partners = program.nodes.map { $0.partners(in: [:]) }
    }
    takeAway()
  }

  private mutating func followAll() {
    _ = number(of: 0, 0)
    var next = 0
    while next < spots.count, spots.count < Self.maxSpots, scopes.count < Self.maxScopes {
      let spot = spots[next]
      let node = program.nodes[spot.node]
      partners.append(node.partners(in: scopes[spot.scope]).map { number(of: $0, spot.scope) })
      for part in node.keywords.flatMap(\.parts) { _ = number(of: part, spot.scope) }
      next += 1
    }
    // Spots beyond the limit, which weren't followed.
    while partners.count < spots.count { partners.append([]) }
  }

  private mutating func number(of node: Int, _ scope: Int) -> Int {
    let spot = Spot(node: node, scope: self.scope(in: program.nodes[node].resource, from: scope))
    if let known = numbers[spot] { return known }
    spots.append(spot)
    numbers[spot] = spots.count - 1
    return spots.count - 1
  }

  /// The scope after a resource is entered. The outermost anchor of a name stays.
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

  /// Takes away every spot whose partners are all taken away. A spot that stays leads into a loop.
  private mutating func takeAway() {
    var dependents = Array(repeating: [Int](), count: partners.count)
    for (spot, partners) in partners.enumerated() {
      for partner in partners { dependents[partner].append(spot) }
    }
    var waiting = partners.map(\.count)
    var heights = Array(repeating: 0, count: waiting.count)
    var ready = waiting.indices.filter { waiting[$0] == 0 }
    while let spot = ready.popLast() {
      for dependent in dependents[spot] {
        heights[dependent] = max(heights[dependent], heights[spot] + 1)
        waiting[dependent] -= 1
        if waiting[dependent] == 0 { ready.append(dependent) }
      }
    }
    deep = heights.firstIndex { $0 > Self.maxChain }.map { spots[$0].node }
    loop = place(in: waiting)
  }

  private func place(in waiting: [Int]) -> Int? {
    guard var spot = waiting.firstIndex(where: { $0 > 0 }) else { return nil }
    var seen: Set<Int> = []
    while seen.insert(spot).inserted,
      // Any of them leads into a loop; the least one, so that the report is the same in every run.
      let next = partners[spot].filter({ waiting[$0] > 0 }).min()
    {
      spot = next
    }
    return spots[spot].node
  }
}

extension SchemaNode {
  /// The nodes that look at the same value as this one, where the anchors of `scope` are fixed.
  fileprivate func partners(in scope: [String: Int]) -> [Int] {
    keywords.flatMap { keyword -> [Int] in
      guard case .dynamicReference(let node, let anchor) = keyword else { return keyword.partners }
      return [scope[anchor] ?? node]
    }
  }
}

extension SchemaKeyword {
  /// The nodes that look at parts of the value.
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
