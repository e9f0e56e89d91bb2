/// The compiled schemas of a document and of everything that it refers to. The first one is the
/// root.
struct SchemaProgram: Sendable {
  /// A schema with its own address.
  struct Resource: Sendable {
    /// The address. Empty if it has none.
    let uri: URIReference
    /// The number of tokens of its path in the document.
    let depth: Int
    let rules: DialectRules
  }

  let nodes: [SchemaNode]
  /// For each schema resource, the nodes of its `$dynamicAnchor`s. The empty name has the node of a
  /// `$recursiveAnchor`.
  let dynamicAnchors: [[String: Int]]
  let resources: [Resource]
  /// Whether any schema produces warnings, so that matching branches must be evaluated too.
  let warns: Bool
  /// Whether any schema contains a reference.
  let refers: Bool
  /// Whether the target of a reference depends on the path to it.
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

  /// Returns the node and the nodes that its `$ref` and `allOf` add. All of them apply if it does.
  func conjunction(of node: Int) -> [Int] {
    closure(of: [node]) { keyword in
      switch keyword {
      case .reference(let target), .dynamicReference(let target, _): [target]
      case .allOf(let nodes): nodes
      default: []
      }
    }
  }

  /// Returns the nodes and all nodes that `targets` reaches from them, each once.
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
