extension JSONDocument {
  /// Returns the document with `value` at `pointer`. It changes as few bytes as possible.
  ///
  /// An existing value is replaced. A new member becomes the last one, in the style of its
  /// siblings. Missing objects on the way to it are created. The index of an array may be its
  /// length or `-` to append. When an object replaces an object, or an array replaces an array,
  /// only their differences change.
  public func setting(
    _ pointer: JSONPointer, to value: JSONValue
  ) throws(JSONEditError) -> JSONDocument {
    var (node, rest) = (root, pointer.tokens[...])
    while let token = rest.first, let next = node.node(at: JSONPointer(tokens: [token])) {
      node = next
      rest.removeFirst()
    }
    guard let token = rest.first else { return try replacing(node, with: value, at: pointer) }
    // Objects that don't exist yet are created around the value.
    let added = rest.dropFirst().reversed().reduce(value) { .object([$1: $0]) }
    switch node.kind {
    case .object:
      return try splicing(JSONLayout(node).adding(added, key: token, to: node), at: pointer)
    case .array where token == "-" || JSONPointer.index(token) == node.count:
      return try splicing(JSONLayout(node).adding(added, key: nil, to: node), at: pointer)
    case .array:
      throw .badIndex(token, count: node.count, pointer)
    default:
      throw .notAContainer(node, token: token, pointer: pointer)
    }
  }

  /// Returns the document without the value at `pointer` and without the redundant comma. No other
  /// byte changes.
  public func removing(_ pointer: JSONPointer) throws(JSONEditError) -> JSONDocument {
    guard let parent = pointer.parent, let last = pointer.last else { throw .rootRemoval() }
    guard let container = node(at: parent), let place = container.position(of: last) else {
      throw .notFound(pointer)
    }
    return try splicing(container.removal(of: place), at: pointer)
  }

  private func replacing(
    _ node: JSONNode, with value: JSONValue, at pointer: JSONPointer
  ) throws(JSONEditError) -> JSONDocument {
    switch (node.kind, value) {
    case _ where node.value.isSameText(as: value):
      return self
    case (.object, .object(let members)) where node.count > 0 && !members.isEmpty:
      return try changing(node, to: members, at: pointer)
    case (.array, .array(let values)) where node.count > 0 && !values.isEmpty:
      return try changing(node, to: values, at: pointer)
    default:
      let text = JSONLayout(node).text(of: value, beside: node)
      return try splicing(JSONSplice(range: node.range, text: text), at: pointer)
    }
  }

  private func changing(
    _ node: JSONNode, to members: JSONObject, at pointer: JSONPointer
  ) throws(JSONEditError) -> JSONDocument {
    var document = self
    // Members are added before others are removed, so that a sibling with a style always exists.
    for (key, value) in members {
      document = try document.setting(pointer.appending(key), to: value)
    }
    for key in node.members.map(\.key) where members[key] == nil {
      document = try document.removing(pointer.appending(key))
    }
    return document
  }

  private func changing(
    _ node: JSONNode, to values: [JSONValue], at pointer: JSONPointer
  ) throws(JSONEditError) -> JSONDocument {
    // A shorter array keeps equal elements at its end, and loses some before them.
    let isShorter = values.count < node.count
    let present = isShorter ? node.elements.map(\.value) : []
    let tail = zip(present.reversed(), values.reversed()).prefix { $0.isSameText(as: $1) }.count
    let head = values.count - tail
    var document = self
    for index in 0..<head {
      document = try document.setting(pointer.appending(index), to: values[index])
    }
    guard isShorter else { return document }
    for index in (head..<node.count - tail).reversed() {
      document = try document.removing(pointer.appending(index))
    }
    return document
  }

  private func splicing(
    _ splice: JSONSplice, at pointer: JSONPointer
  ) throws(JSONEditError) -> JSONDocument {
    var bytes = storage.bytes
    bytes.replaceSubrange(splice.range, with: splice.text)
    do throws(JSONParseError) {
      return try JSONDocument(parsing: bytes, limits: storage.limits)
    } catch {
      throw .limit(error, pointer)
    }
  }
}

extension JSONEditError {
  fileprivate static func rootRemoval() -> JSONEditError {
    JSONEditError(
      code: .rootRemoval, pointer: .root,
      message: "The whole document can't be removed. Set it to null or {} instead.")
  }

  fileprivate static func notFound(_ pointer: JSONPointer) -> JSONEditError {
    JSONEditError(
      code: .notFound, pointer: pointer,
      message: "There is no \(pointer.dotted); nothing was removed.")
  }

  fileprivate static func badIndex(
    _ token: String, count: Int, _ pointer: JSONPointer
  ) -> JSONEditError {
    JSONEditError(
      code: .badIndex, pointer: pointer,
      message: "\(JSONValue.string(token)) is no index of an array with \(count) elements. "
        + "Use an index up to \(count), or \"-\" to append.")
  }

  fileprivate static func notAContainer(
    _ node: JSONNode, token: String, pointer: JSONPointer
  ) -> JSONEditError {
    let path = node.pointer.dotted
    return JSONEditError(
      code: .notAContainer, pointer: pointer,
      message: "\(path.isEmpty ? "The document" : path) is \(node.kind.phrase), so it can't hold "
        + "\(JSONValue.string(token)). Set it to an object first.")
  }

  fileprivate static func limit(_ error: JSONParseError, _ pointer: JSONPointer) -> JSONEditError {
    JSONEditError(code: .limit, pointer: pointer, message: error.message)
  }
}
