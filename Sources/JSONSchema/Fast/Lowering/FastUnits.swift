/// A schema in one of the variants in which it is lowered.
struct FastUnit: Hashable {
  let node: Int
  /// The scope: the targets of dynamic references, which depend on the path to the schema.
  var scope = 0
  /// Whether marks for the parts of its value are needed.
  var tracks = false
}

/// The units of a program. In scope 0 and without tracking, a unit has the number of its node. Most
/// schemas have no other units.
///
/// A dynamic reference refers to the outermost schema resource with its anchor on the path from the
/// root. The targets of all anchors on a path are its *scope*. A scope only grows, so there are
/// few, and a check needs no search because each scope has its own units.
struct FastUnits {
  /// The largest number of units. A schema with more is left to `Evaluation`.
  static let most = 100_000

  private let program: SchemaProgram
  /// The anchors that references use.
  private let anchors: [String]
  /// For each scope, the node of each anchor, or -1.
  private var scopes: [[Int]] = []
  private var entered: [FastUnit: Int] = [:]
  private var more: [FastUnit] = []
  private var indexes: [FastUnit: Int] = [:]

  init(_ program: SchemaProgram) {
    self.program = program
    // Without references, the schema need not be searched for anchors.
    anchors = program.refers ? Self.anchors(program) : []
    scopes = [enter(program.nodes[0].resource, from: anchors.map { _ in -1 })]
  }

  private static func anchors(_ program: SchemaProgram) -> [String] {
    // A list and not a set, because the position of an anchor is its index in every scope.
    var names: [String] = []
    for node in program.nodes {
      for case .dynamicReference(_, let anchor) in node.keywords where !names.contains(anchor) {
        names.append(anchor)
      }
    }
    return names
  }

  var count: Int { program.nodes.count + more.count }

  subscript(index: Int) -> FastUnit {
    let plain = program.nodes.count
    return index < plain ? FastUnit(node: index) : more[index - plain]
  }

  /// Returns the unit of a node that is reached from another unit.
  mutating func index(of node: Int, from unit: FastUnit, tracks: Bool) -> Int {
    let scope = anchors.isEmpty ? 0 : scope(of: program.nodes[node].resource, from: unit.scope)
    // This holds for most units. They need no entry, and their number is known without a look-up.
    if scope == 0, !tracks { return node }
    let unit = FastUnit(node: node, scope: scope, tracks: tracks)
    if let known = indexes[unit] { return known }
    more.append(unit)
    indexes[unit] = count - 1
    return count - 1
  }

  /// Returns the node that a dynamic reference refers to, or `nil` if no resource on the path has
  /// the anchor.
  func target(of anchor: String, from unit: FastUnit) -> Int? {
    guard let place = anchors.firstIndex(of: anchor), scopes[unit.scope][place] >= 0 else {
      return nil
    }
    return scopes[unit.scope][place]
  }

  private mutating func scope(of resource: Int, from scope: Int) -> Int {
    let way = FastUnit(node: resource, scope: scope)
    if let known = entered[way] { return known }
    let names = enter(resource, from: scopes[scope])
    // Paths with the same targets share a scope. Otherwise, the number of units would grow with
    // that of paths.
    let found = scopes.firstIndex(of: names) ?? scopes.count
    if found == scopes.count { scopes.append(names) }
    entered[way] = found
    return found
  }

  /// Adds the anchors of a resource. An anchor with a target keeps it, because the outermost one
  /// counts.
  private func enter(_ resource: Int, from names: [Int]) -> [Int] {
    zip(anchors, names).map { anchor, node in
      node >= 0 ? node : program.dynamicAnchors[resource][anchor] ?? -1
    }
  }
}
