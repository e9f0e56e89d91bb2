/// The compiled schemas of a document and of all that it refers to; the first one is its root.
struct SchemaProgram: Sendable {
  /// A schema with an address of its own.
  struct Resource: Sendable {
    /// Its address; empty where it has none.
    let uri: URIReference
    /// How many tokens lead to it in its document.
    let depth: Int
    let rules: DialectRules
  }

  let nodes: [SchemaNode]
  /// For each schema resource the nodes of its `$dynamicAnchor`s. The empty name has the node of a
  /// `$recursiveAnchor`.
  let dynamicAnchors: [[String: Int]]
  let resources: [Resource]
  /// Whether any schema warns, so that the branches that fit must be gone through as well.
  let warns: Bool
  /// Whether any schema refers to another.
  let refers: Bool
  /// Whether the target of a reference depends on the way to it.
  let isDynamic: Bool

  init(nodes: [SchemaNode], dynamicAnchors: [[String: Int]], resources: [Resource]) {
    self.nodes = nodes
    self.dynamicAnchors = dynamicAnchors
    self.resources = resources
    isDynamic = dynamicAnchors.contains { !$0.isEmpty }
    warns = nodes.contains(where: \.isDeprecated)
    refers = nodes.contains { node in
      node.keywords.contains { keyword in
        switch keyword {
        case .reference, .dynamicReference: true
        default: false
        }
      }
    }
  }

  /// The node itself and the nodes that its `$ref` and `allOf` add to it. All of them hold where it
  /// does.
  func conjunction(of node: Int) -> [Int] {
    closure(of: [node]) { keyword in
      switch keyword {
      case .reference(let target), .dynamicReference(let target, _): [target]
      case .allOf(let nodes): nodes
      default: []
      }
    }
  }

  /// The nodes and all nodes to which `targets` leads from them, each once.
  func closure(of start: [Int], _ targets: (SchemaKeyword) -> [Int]) -> [Int] {
    var found = start.uniqued()
    var seen = Set(found)
    var next = 0
    while next < found.count {
      for keyword in nodes[found[next]].keywords {
        for target in targets(keyword) where seen.insert(target).inserted { found.append(target) }
      }
      next += 1
    }
    return found
  }
}
