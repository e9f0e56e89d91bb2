/// An edit gives a valid document of the value asked for, and leaves the text of everything beside
/// it, and around the root, as it was.
@Sendable func fuzzEdits(_ input: [UInt8]) {
  let parts = parts(input)
  guard parts.count == 3, parts[1].count >= 2,
    let document = try? JSONDocument(parsing: Array(parts[0]))
  else { return }
  let (choice, kind) = (Int(parts[1][parts[1].startIndex]), parts[1][parts[1].startIndex + 1] % 3)
  let nodes = document.allNodes
  let node = nodes[choice % nodes.count]
  let value = (try? JSONValue(parsing: Array(parts[2]))) ?? .string("new")
  switch kind {
  case 0: set(value, at: node.pointer, in: document, input)
  case 1:
    let key = String(decoding: parts[2].prefix(8), as: UTF8.self)
    set(value, at: node.pointer.appending(node.kind == .array ? "-" : key), in: document, input)
  default: remove(node.pointer, from: document, input)
  }
}

private func set(
  _ value: JSONValue, at pointer: JSONPointer, in document: JSONDocument, _ input: [UInt8]
) {
  let edited: JSONDocument
  do throws(JSONEditError) {
    edited = try document.setting(pointer, to: value)
  } catch {
    let isScalar = pointer.parent.flatMap { document.node(at: $0)?.kind } ?? .object
    let mayFail = error.code == .limit || (isScalar != .array && isScalar != .object)
    check(mayFail, "refused: \(error)", input: input)
    return
  }
  var path = pointer
  if path.last == "-", let parent = path.parent, let array = document.node(at: parent),
    array.kind == .array
  {
    path = parent.appending(array.count)
  }
  check(edited.node(at: path)?.value == value, "the value isn't there", input: input)
  checkRest(of: document, against: edited, at: path, input: input)
  let twice = try? edited.setting(path, to: value)
  check(twice?.bytes == edited.bytes, "setting the same again changes the text", input: input)
}

private func remove(_ pointer: JSONPointer, from document: JSONDocument, _ input: [UInt8]) {
  guard !pointer.tokens.isEmpty else { return }
  guard let edited = try? document.removing(pointer) else { fail("can't be removed", input) }
  guard let parent = pointer.parent, let last = pointer.last,
    let before = document.node(at: parent), let after = edited.node(at: parent)
  else { fail("the parent is gone", input) }
  check(after.count == before.count - 1, "not one item went", input: input)
  var texts = texts(of: before)
  texts.remove(at: before.kind == .array ? Int(last) ?? 0 : position(of: last, in: before))
  check(texts == JSONText.all(in: after), "the others changed", input: input)
  checkRest(of: document, against: edited, at: parent, input: input)
}

private func position(of key: String, in node: JSONNode) -> Int {
  node.members.enumerated().first { $0.element.hasKey(key) }?.offset ?? 0
}

private func texts(of node: JSONNode) -> [JSONText] { JSONText.all(in: node) }

/// An item's text.
private struct JSONText: Equatable {
  let key: ArraySlice<UInt8>?
  let value: ArraySlice<UInt8>

  static func == (left: JSONText, right: JSONText) -> Bool {
    left.key.map(Array.init) == right.key.map(Array.init) && Array(left.value) == Array(right.value)
  }

  static func all(in node: JSONNode) -> [JSONText] {
    node.elements.map { JSONText(key: nil, value: $0.bytes) }
      + node.members.map {
        JSONText(key: node.document.bytes[$0.keyRange], value: $0.value.bytes)
      }
  }
}

/// Everything beside the way to `pointer` has the text it had.
private func checkRest(
  of document: JSONDocument, against edited: JSONDocument, at pointer: JSONPointer, input: [UInt8]
) {
  let (before, after) = (document.root, edited.root)
  let (old, new) = (document.bytes, edited.bytes)
  check(
    old[..<before.range.lowerBound] == new[..<after.range.lowerBound], "the start changed",
    input: input)
  check(
    old[before.range.upperBound...].elementsEqual(new[after.range.upperBound...]),
    "the end changed", input: input)
  var (left, right) = (before, after)
  for token in pointer.tokens {
    let position =
      left.kind == .array
      ? Int(token) ?? 0
      : left.members.enumerated().first { $0.element.hasKey(token) }?.offset ?? left.count
    var (texts, others) = (JSONText.all(in: left), JSONText.all(in: right))
    if position < texts.count { texts.remove(at: position) }
    if position < others.count { others.remove(at: position) }
    check(texts == others, "a sibling of \(token) changed", input: input)
    guard let next = left.node(at: JSONPointer(tokens: [token])),
      let other = right.node(at: JSONPointer(tokens: [token]))
    else { return }
    (left, right) = (next, other)
  }
}
