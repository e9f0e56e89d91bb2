/// Both parsers agree; what is accepted can be read, and is the same when written and read again.
@Sendable func fuzzParsing(_ input: [UInt8]) {
  let limits = JSONLimits()
  let fast = JSONFastParser.records(input, limits)
  defer { fast?.deallocate() }
  do throws(JSONParseError) {
    let explained = try JSONParser.records(input, limits)
    compare(fast, explained: explained, input: input)
    checkDocument(try JSONDocument(parsing: input), input)
  } catch {
    check(fast == nil, "only the fast parser accepts this; the other: \(error)", input: input)
    checkError(error, input)
  }
}

private func compare(
  _ fast: UnsafeBufferPointer<JSONRecord>?, explained: [JSONRecord], input: [UInt8]
) {
  guard let fast else {
    // A scalar, a short text, or two keys of one hash, which a fuzzer hardly finds.
    let isLong = input.withUnsafeBytes { $0.withoutTrailingSpace.count } >= 8
    let isContainer = explained[0].kind == .array || explained[0].kind == .object
    check(!isLong || !isContainer, "only the explaining parser accepts this", input: input)
    return
  }
  check(fast.count == explained.count, "the parsers count different nodes", input: input)
  for (left, right) in zip(fast, explained) {
    check(
      (left.start, left.end, left.next, left.tag) == (
        right.start, right.end, right.next, right.tag
      ),
      "the parsers note different things: \(left), \(right)", input: input)
  }
}

private func checkError(_ error: JSONParseError, _ input: [UInt8]) {
  let place = error.place
  check(
    (0...input.count).contains(place.offset), "the place is outside: \(place.offset)", input: input)
  check(place.line > 0 && place.column > 0, "the place is \(place)", input: input)
  check(error.message.hasSuffix("."), "not a sentence: \(error.message)", input: input)
}

private func checkDocument(_ document: JSONDocument, _ input: [UInt8]) {
  check(document.bytes == input, "the text was changed", input: input)
  let value = document.root.value
  for text in [value.bytes(), value.bytes(pretty: true)] {
    guard let again = try? JSONDocument(parsing: text) else {
      fail("what was written isn't JSON: \(String(decoding: text, as: UTF8.self))", input)
    }
    check(again.root.value == value, "written and read it is another value", input: input)
    check(
      again.root.value.hashValue == value.hashValue, "equal values hash differently", input: input)
  }
  let made = JSONDocument(value)
  guard let read = try? JSONParser.records(made.bytes, JSONLimits()) else {
    fail("a document made from a value isn't JSON", input)
  }
  compare(made.storage.records, explained: read, input: input)
  for node in document.allNodes.prefix(200) { checkNode(node, input) }
}

private func checkNode(_ node: JSONNode, _ input: [UInt8]) {
  check(
    !node.range.isEmpty && node.range.upperBound <= input.count, "a node is outside", input: input)
  check(
    node.document.node(at: node.pointer)?.range == node.range, "a pointer leads away", input: input)
  check(node.place.offset == node.range.lowerBound, "a place is elsewhere", input: input)
  if let string = node.string {
    check(JSONValue.string(string) == node.value, "a string is read in two ways", input: input)
  }
  if let number = node.number {
    let text = String(decoding: node.bytes, as: UTF8.self)
    check(number.text == text, "\(text) became \(number.text)", input: input)
    check(node.int == number.int, "\(text) is two integers", input: input)
    check(node.double == Double(text), "\(text) is two doubles", input: input)
    check(node.double == number.double, "\(text) is two doubles", input: input)
  }
  for member in node.members {
    check(member.hasKey(member.key), "a member hasn't its own key", input: input)
    check(node[member.key]?.range == member.value.range, "a key leads away", input: input)
  }
}
