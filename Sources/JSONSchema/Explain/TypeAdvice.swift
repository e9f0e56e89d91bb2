import AgentJSON

/// Advice for a value of the wrong type.
struct TypeAdvice {
  let types: TypeSet
  let node: JSONNode
  let location: ValueLocation
  let expectedSchema: ExpectedSchema

  init(types: TypeSet, subject: Subject, location: ValueLocation) {
    self.types = types
    self.node = subject.node
    self.location = location
    expectedSchema = ExpectedSchema(program: location.program, schema: subject.schema)
  }

  var sentence: String? {
    let own =
      switch node.kind {
      case .null: forNull
      case .string: forText(node.string ?? "")
      case .number: forNumber
      case .bool: types.contains(.string) ? quoted("\(node.bool == true)") : nil
      case .array: forArray
      case .object: forObject
      }
    // Advice may repeat the value, which somebody hostile may have made as long as a document is. A
    // cut one would be wrong.
    return [own, forAny].lazy.compactMap(\.self).first { $0.utf8.count <= Self.maxBytes }
  }

  /// The longest advice in bytes.
  private static let maxBytes = 500

  /// Advice if the mistake is unknown: an example.
  private var forAny: String? {
    if types == .object || types == .array, let held = wrapped { return held }
    if let example = expectedSchema.example(of: types) {
      return "Write a value such as \(example.text())."
    }
    guard types == .object else { return nil }
    let keys = expectedSchema.keys
    let names = (keys.required.isEmpty ? keys.others : keys.required).map(FoundText.quoted)
    guard !names.isEmpty, names.count <= 6 else { return nil }
    let word = keys.required.isEmpty ? "or" : "and"
    return "Write an object with \(FoundText.choice(names, word))."
  }

  private var forNull: String? {
    guard let key = location.key, !location.isRequired else { return nil }
    let isElement = JSONPointer(tokens: [key]).dotted.hasPrefix("[")
    return isElement ? "Leave it out." : "Leave the key out."
  }

  private var forNumber: String? {
    guard let number = node.number else { return nil }
    let wantsInteger = !types.isDisjoint(with: .integer) && !types.contains(.fraction)
    if wantsInteger { return "Write it without a fraction." }
    if types.contains(.string) { return quoted(number.text) }
    guard types.contains(.boolean), let int = number.int, int == 0 || int == 1 else { return nil }
    return write(int == 1 ? "true" : "false")
  }

  /// Returns advice for a text in place of a number or a Boolean. It accepts a unit only if that is
  /// necessary for a match.
  private func quoted(_ text: String) -> String? {
    if expectedSchema.admits(.string(text)) { return "Put quotes around it: \"\(text)\"." }
    let units = ["ms", "s", "m", "h", "B", "KB", "MB", "GB", "%"]
    let words = units.map { text + $0 }.filter { expectedSchema.admits(.string($0)) }
    guard !words.isEmpty else { return nil }
    return "Write it with its unit: \(FoundText.choice(words.map(FoundText.quoted)))."
  }

  private var forArray: String? {
    let fits = { (node: JSONNode) in types.isSuperset(of: TypeSet(of: node)) }
    if types == .object, let map = keyed { return map }
    if node.count == 1, let only = node[0], fits(only) { return "Remove the brackets." }
    guard node.count > 1, node.count <= 20, node.elements.allSatisfy(fits) else { return nil }
    return "Write only one of them, without the brackets."
  }

  /// Advice for a list of objects in place of an object with keys that the user chooses.
  private var keyed: String? {
    guard expectedSchema.isMap, node.count > 0, node.elements.allSatisfy({ $0.kind == .object })
    else {
      return nil
    }
    let name = node[0]?["name"]?.string ?? node[0]?["id"]?.string ?? "NAME"
    let more = node.count > 1 ? ", …" : ""
    return write("an object with a name for each: {\(FoundText.quoted(name)): { … }\(more)}")
  }

  private var forObject: String? {
    if types.contains(.array) {
      let elements = expectedSchema.elementTypes
      if elements.contains(.object) { return "Put it in brackets: [{ … }]." }
      let keys = node.members.map(\.key)
      guard elements.contains(.string), !keys.isEmpty, keys.count <= 4 else { return nil }
      return write(JSONValue.array(keys.map { .string($0) }).text())
    }
    guard node.count == 1, let only = node.members.first(where: { _ in true }),
      types.isSuperset(of: TypeSet(of: only.value))
    else { return nil }
    return "Write only the value of \(FoundText.quoted(only.key)), without the braces."
  }

  func write(_ text: String) -> String { "Write \(text)." }
}
