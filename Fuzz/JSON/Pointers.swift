/// A pointer and its text are two forms of one thing, and lead to the same place in a document and
/// in its value.
@Sendable func fuzzPointers(_ input: [UInt8]) {
  let parts = parts(input)
  let text = String(decoding: parts[0], as: UTF8.self)
  guard let pointer = try? JSONPointer(text) else { return checkRefusal(text, input) }
  check(pointer.description == text, "the text became \(pointer.description)", input: input)
  check((try? JSONPointer(pointer.description)) == pointer, "the pointer changed", input: input)
  _ = pointer.dotted
  let other = JSONPointer(tokens: pointer.tokens + [text])
  check((try? JSONPointer(other.description)) == other, "a token isn't escaped", input: input)
  guard parts.count > 1, let document = try? JSONDocument(parsing: Array(parts[1])) else { return }
  let found = document.node(at: pointer)
  check(found?.value == document.root.value.value(at: pointer), "two places", input: input)
  if let found { check(found.pointer.tokens == pointer.tokens, "another way back", input: input) }
}

private func checkRefusal(_ text: String, _ input: [UInt8]) {
  let bytes = Array(text.utf8)
  let hasBadTilde = bytes.indices.contains {
    bytes[$0] == UInt8(ascii: "~")
      && !($0 + 1 < bytes.count && (bytes[$0 + 1] == .zero || bytes[$0 + 1] == .zero + 1))
  }
  check(hasBadTilde || bytes.first != UInt8(ascii: "/"), "a good pointer was refused", input: input)
}
