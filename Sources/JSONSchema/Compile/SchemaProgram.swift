/// The compiled schemas of a document and of all that it refers to; the first one is its root.
struct SchemaProgram: Sendable {
  let nodes: [SchemaNode]
  /// For each schema resource the nodes of its `$dynamicAnchor`s.
  let dynamicAnchors: [[String: Int]]
  /// Whether any schema warns, so that the branches that fit must be gone through as well.
  let warns: Bool

  init(nodes: [SchemaNode], dynamicAnchors: [[String: Int]]) {
    self.nodes = nodes
    self.dynamicAnchors = dynamicAnchors
    warns = nodes.contains(where: \.isDeprecated)
  }

  /// The node itself and those that its `$ref` and `allOf` add to it: what surely holds together.
  func conjunction(of node: Int) -> [Int] {
    closure(of: node) { keyword in
      switch keyword {
      case .reference(let target), .dynamicReference(let target, _): [target]
      case .allOf(let nodes): nodes
      default: []
      }
    }
  }

  /// The node and all that may look at the same value.
  func surroundings(of node: Int) -> [Int] {
    var found = [node]
    var next = 0
    while next < found.count {
      for partner in nodes[found[next]].partners where !found.contains(partner) {
        found.append(partner)
      }
      next += 1
    }
    return found
  }

  private func closure(of node: Int, _ follow: (SchemaKeyword) -> [Int]) -> [Int] {
    var found = [node]
    var next = 0
    while next < found.count {
      for keyword in nodes[found[next]].keywords {
        for target in follow(keyword) where !found.contains(target) { found.append(target) }
      }
      next += 1
    }
    return found
  }
}
