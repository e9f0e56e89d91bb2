internal import AgentKit

/// The input of a call of `state/1`, read as strictly as the host reads it.
struct TestStateRequest {
  private static let members = [
    "get": ["keys"], "list": ["prefix", "after", "limit", "values"], "write": ["changes"],
    "history": ["key"], "limits": [],
  ]
  private static let maxCount = 1000
  private static let maxBytes = 16 << 20
  private static let limits = JSONLimits(maxDepth: 63)

  let method: String
  let root: JSONNode

  init(_ method: String, _ input: [UInt8]) throws(ModuleError) {
    guard let known = Self.members[method] else {
      throw ModuleError(
        .unsupported,
        "state/1 has no \"\(method)\"; it has get, list, write, history and limits.")
    }
    guard input.count <= Self.maxBytes else {
      throw ModuleError(
        .invalidArgument,
        "The input of \(method) has \(input.count) bytes; \(Self.maxBytes) is the most. Ask in "
          + "several calls.")
    }
    do {
      root = try JSONDocument(parsing: input, limits: Self.limits).root
    } catch {
      throw ModuleError(.invalidArgument, "The input of \(method) can't be read: \(error)")
    }
    self.method = method
    try check(root, known)
  }

  func keys() throws(ModuleError) -> [String] {
    let keys = root["keys"]
    let texts = keys?.elements.compactMap(\.string) ?? []
    guard let keys, keys.kind == .array, keys.count == texts.count, !texts.contains(""),
      keys.count <= Self.maxCount
    else {
      throw wrong("\"keys\" needs a list of at most \(Self.maxCount) keys")
    }
    return texts
  }

  func text(_ member: String) throws(ModuleError) -> String? {
    guard let node = root[member] else { return nil }
    guard let text = node.string else { throw wrong("\"\(member)\" needs a text") }
    return text
  }

  func hasValues() throws(ModuleError) -> Bool {
    guard let node = root["values"] else { return true }
    guard let value = node.bool else { throw wrong("\"values\" needs true or false") }
    return value
  }

  func limit() throws(ModuleError) -> Int {
    guard let node = root["limit"] else { return 100 }
    guard let limit = node.int, (1...Self.maxCount).contains(limit) else {
      throw wrong("\"limit\" needs a number from 1 to \(Self.maxCount)")
    }
    return limit
  }

  func key(in node: JSONNode) throws(ModuleError) -> String {
    guard let key = node["key"]?.string, !key.isEmpty else {
      throw wrong("\"key\" needs a text that isn't empty")
    }
    return key
  }

  func changes() throws(ModuleError) -> [TestState.Change] {
    guard let list = root["changes"], (1...Self.maxCount).contains(list.elements.count) else {
      throw wrong("\"changes\" needs 1 to \(Self.maxCount) changes")
    }
    var changes: [TestState.Change] = []
    for node in list.elements { changes.append(try change(node)) }
    return changes
  }

  private func change(_ node: JSONNode) throws(ModuleError) -> TestState.Change {
    try check(node, ["key", "value", "remove", "expected"])
    let key = try key(in: node)
    let expected = node["expected"]?.int
    guard node["expected"] == nil || expected ?? -1 >= 0 else {
      throw wrong("\"expected\" needs a version, or 0")
    }
    guard node["remove"] == nil || node["remove"]?.bool == true else {
      throw wrong("\"remove\" needs true")
    }
    switch (node["value"]?.value, node["remove"]) {
    case (let value?, nil):
      return .init(
        key: key, effect: .set(value, bytes: value.bytes().count), expected: expected)
    case (nil, _?): return .init(key: key, effect: .remove, expected: expected)
    case (_?, _?):
      throw ModuleError(
        .invalidArgument, "The change of \"\(key)\" has a \"value\" and \"remove\": choose one.")
    case (nil, nil):
      guard expected != nil else {
        throw ModuleError(
          .invalidArgument,
          "The change of \"\(key)\" says nothing: give it a \"value\", \"remove\": true, or the "
            + "\"expected\" version of a key that stays as it is.")
      }
      return .init(key: key, effect: .check, expected: expected)
    }
  }

  private func check(_ node: JSONNode, _ known: [String]) throws(ModuleError) {
    guard node.kind == .object else { throw wrong("expected an object") }
    for member in node.members where !known.contains(member.key) {
      throw wrong("\"\(member.key)\" isn't known")
    }
  }

  private func wrong(_ what: String) -> ModuleError {
    ModuleError(.invalidArgument, "The input of \(method) is wrong: \(what).")
  }
}
