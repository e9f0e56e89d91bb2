import AgentJSON

/// Reads the keywords of one schema object after another, and records those with a wrong form.
///
/// Rationale: it reads the members of an object once and uses its memory again for the next schema.
/// Looking up each of sixty keywords in an object took most of a compilation's time.
struct KeywordReader {
  /// The keywords of the schema that its dialect knows.
  private(set) var present = KeywordSet()
  /// The keys of all members that are `true`.
  private(set) var marks: [String] = []
  private(set) var faults: [(token: String?, message: String)] = []
  private(set) var rules = DialectRules(.draft2020)
  private var values = [JSONValue](repeating: .null, count: KeywordName.allCases.count)

  /// Starts a schema: clears the previous one and reads the members.
  mutating func open(_ schema: JSONObject, _ rules: DialectRules) {
    self.rules = rules
    present = KeywordSet()
    marks.removeAll(keepingCapacity: true)
    faults.removeAll(keepingCapacity: true)
    for (key, value) in schema {
      if case .bool(true) = value { marks.append(key) }
      guard let keyword = KeywordName.named(key) else { continue }
      present.insert(keyword)
      values[Int(keyword.rawValue)] = value
    }
    // A keyword of another draft has no meaning here.
    present = present.intersection(rules.keywords)
    guard rules.hidesSiblings, present.contains(.ref) else { return }
    // Up to draft 7, `$ref` disables all keywords beside it.
    present = [.ref]
    marks.removeAll(keepingCapacity: true)
  }

  /// Returns the value of a keyword that the schema has.
  subscript(keyword: KeywordName) -> JSONValue? {
    present.contains(keyword) ? values[Int(keyword.rawValue)] : nil
  }

  mutating func refuse(_ keyword: KeywordName, _ message: String) {
    faults.append((keyword.text, "\"\(keyword.text)\" \(message)"))
  }

  /// Returns the keyword's value as `read` converts it, or `nil` if the schema doesn't have the
  /// keyword. If `read` doesn't accept the value, a fault with the text `form` is recorded.
  mutating func read<T>(
    _ keyword: KeywordName, form: String, read: (JSONValue) -> T?
  ) -> T? {
    guard let value = self[keyword] else { return nil }
    if let result = read(value) { return result }
    refuse(keyword, "must be \(form), not \(FoundText.of(value)).")
    return nil
  }

  mutating func text(_ keyword: KeywordName) -> String? {
    read(keyword, form: "a string") { $0.string }
  }

  mutating func flag(_ keyword: KeywordName) -> Bool {
    read(keyword, form: "true or false") { $0.bool } ?? false
  }

  mutating func number(_ keyword: KeywordName) -> JSONNumber? {
    read(keyword, form: "a number") { $0.number }
  }

  mutating func divisor(_ keyword: KeywordName) -> JSONNumber? {
    guard let number = number(keyword) else { return nil }
    if number > 0 { return number }
    refuse(keyword, "must be more than 0, not \(number.text).")
    return nil
  }

  mutating func count(_ keyword: KeywordName) -> Int? {
    read(keyword, form: "a whole number that is not negative") { value in
      guard case .number(let number) = value, number.isInteger, number >= 0 else { return nil }
      // No text and no list is longer than the largest Int, so the meaning is the same.
      return number.int ?? .max
    }
  }

  mutating func list(_ keyword: KeywordName) -> [JSONValue]? {
    read(keyword, form: "an array") { $0.array }
  }

  mutating func texts(_ keyword: KeywordName) -> [String]? {
    read(keyword, form: "an array of strings that all differ", read: Self.distinctTexts)
  }

  /// Returns the members of an object of schemas.
  mutating func schemas(by keyword: KeywordName) -> JSONObject? {
    read(keyword, form: "an object of schemas") { $0.object }
  }

  /// Returns the schemas of a list that must not be empty.
  mutating func schemas(in keyword: KeywordName) -> [JSONValue]? {
    guard let list = list(keyword) else { return nil }
    if list.isEmpty { refuse(keyword, "must hold at least one schema.") }
    return list
  }

  mutating func types() -> TypeSet? {
    // In draft 4, the number 1.0 isn't an integer.
    let integer: TypeSet = rules.dialect == .draft4 ? .plainInteger : .integer
    return read(.type, form: "the name of a type or an array of such names") { value in
      if let name = value.string { return TypeSet(named: name, integer: integer) }
      guard let names = Self.distinctTexts(value), !names.isEmpty else { return nil }
      var types: TypeSet = []
      for name in names {
        guard let type = TypeSet(named: name, integer: integer) else { return nil }
        types.formUnion(type)
      }
      return types
    }
  }

  static func distinctTexts(_ value: JSONValue) -> [String]? {
    guard let array = value.array else { return nil }
    var texts: [String] = []
    texts.reserveCapacity(array.count)
    for element in array {
      guard let text = element.string else { return nil }
      texts.append(text)
    }
    // A set of JSON values and not of strings, because Swift considers some texts equal that JSON
    // distinguishes.
    return Set(array).count == array.count ? texts : nil
  }
}
