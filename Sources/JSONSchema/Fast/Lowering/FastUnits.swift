/// A schema in one of the ways in which it is lowered.
struct FastUnit: Hashable {
  let node: Int
  /// The scope: which schemas the dynamic references mean, by the way on which the schema was
  /// reached.
  var scope = 0
  /// Whether somebody asks which parts of the value it looks at.
  var tracks = false
}

/// The units of a program. In scope 0, without tracking, a unit has the number of its node; most
/// schemas have no other units.
///
/// A dynamic reference means the outermost schema resource with its anchor on the way from the
/// root. The schemas that the anchors mean so far are the *scope* of a way. A scope only grows, so
/// there are few, and with a unit for each a check has nothing to look for.
struct FastUnits {
  /// The most units. A schema with more is left to `Evaluation`.
  static let most = 100_000

  private let program: SchemaProgram
  /// The anchors that are referred to.
  private let anchors: [String]
  /// For each scope the node of each anchor, or -1.
  private var scopes: [[Int]] = []
  private var entered: [FastUnit: Int] = [:]
  private var more: [FastUnit] = []
  private var indexes: [FastUnit: Int] = [:]

  init(_ program: SchemaProgram) {
    self.program = program
    // A schema without references needn't be searched for anchors.
    anchors = program.refers ? Self.anchors(program) : []
    scopes = [enter(program.nodes[0].resource, from: anchors.map { _ in -1 })]
  }

  private static func anchors(_ program: SchemaProgram) -> [String] {
    // A list and no set: the position of an anchor is its place in every scope.
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

  /// The unit of a node that is reached from another unit.
  mutating func index(of node: Int, from unit: FastUnit, tracks: Bool) -> Int {
    let scope = anchors.isEmpty ? 0 : scope(of: program.nodes[node].resource, from: unit.scope)
    // Most units: they need no entry, and their number is known without a lookup.
    if scope == 0, !tracks { return node }
    let unit = FastUnit(node: node, scope: scope, tracks: tracks)
    if let known = indexes[unit] { return known }
    more.append(unit)
    indexes[unit] = count - 1
    return count - 1
  }

  /// The node that a dynamic reference means; nil where no resource on the way has the anchor.
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
    // Ways that fix the same anchors share a scope, or units would grow with the ways.
    let found = scopes.firstIndex(of: names) ?? scopes.count
    if found == scopes.count { scopes.append(names) }
    entered[way] = found
    return found
  }

  /// Adds the anchors of a resource. An anchor that is fixed stays, because the outermost one
  /// counts.
  private func enter(_ resource: Int, from names: [Int]) -> [Int] {
    zip(anchors, names).map { anchor, node in
      node >= 0 ? node : program.dynamicAnchors[resource][anchor] ?? -1
    }
  }
}
