public import AgentJSON

extension Schema {
  /// Returns the places in `node` with a secret: `writeOnly`, or the format `password`.
  public func secrets(in node: JSONNode) -> [JSONPointer] {
    var search = MarkSearch(walk: SchemaWalk(program: program)) { node in
      node.notes.marks.contains("writeOnly") || node.source["format"] == "password"
    }
    search.look(at: node, by: [0])
    return search.found
  }

  /// Returns the places in `node` whose schema has the keyword `mark` as `true`, such as
  /// `writeOnly`, in the order of the document.
  ///
  /// The marks of every branch of `anyOf` and `oneOf` count, even if the value doesn't match it,
  /// because a secret in invalid settings is still a secret.
  public func pointers(marked mark: String, in node: JSONNode) -> [JSONPointer] {
    var search = MarkSearch(walk: SchemaWalk(program: program)) { $0.notes.marks.contains(mark) }
    search.look(at: node, by: [0])
    return search.found
  }
}

private struct MarkSearch {
  let walk: SchemaWalk
  let isMarked: (SchemaNode) -> Bool
  var found: [JSONPointer] = []
  private var path: [String] = []

  init(walk: SchemaWalk, isMarked: @escaping (SchemaNode) -> Bool) {
    self.walk = walk
    self.isMarked = isMarked
  }

  mutating func look(at node: JSONNode, by schemas: [Int]) {
    let all = walk.closure(of: schemas, for: node)
    guard !all.isEmpty else { return }
    let nodes = all.map { walk.program.nodes[$0] }
    if nodes.contains(where: isMarked) {
      found.append(JSONPointer(tokens: path))
    }
    let keywords = nodes.flatMap(\.keywords)
    for member in node.members {
      look(at: member.value, token: member.key, keywords: keywords, isElement: false)
    }
    for (index, element) in node.elements.enumerated() {
      look(at: element, token: String(index), keywords: keywords, isElement: true)
    }
  }

  private mutating func look(
    at node: JSONNode, token: String, keywords: [SchemaKeyword], isElement: Bool
  ) {
    path.append(token)
    defer { path.removeLast() }
    look(at: node, by: keywords.flatMap { walk.parts($0, at: token, isElement) })
  }
}
