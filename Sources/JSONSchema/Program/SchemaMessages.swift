import AgentJSON

/// The schema author's own words for failures: `errorMessage`, by the convention of ajv-errors.
struct SchemaMessages: Sendable {
  /// For every keyword of the schema that has no text of its own.
  private var whole: String?
  private var byKeyword: [String: String] = [:]
  /// For `required` and its siblings: a text for each missing key.
  private var byKey: [String: [String: String]] = [:]
  /// For everything that is wrong inside a member.
  private var members: [String: String] = [:]
  /// For everything that is wrong inside an element, by its index or for all.
  private var elements: [String?] = []
  private var everyElement: String?

  /// No words.
  init() {}

  /// Reads the value of `errorMessage`; nil when it is neither a text nor an object.
  init?(_ value: JSONValue) {
    switch value {
    case .string(let text): whole = text
    case .object(let object): for (key, value) in object { read(key, value) }
    default: return nil
    }
  }

  private mutating func read(_ keyword: String, _ value: JSONValue) {
    switch (keyword, value) {
    case ("_", .string(let text)): whole = text
    case ("items", .string(let text)): everyElement = text
    case ("items", .array(let texts)): elements = texts.map(\.string)
    case (_, .string(let text)): byKeyword[keyword] = text
    case ("properties", .object(let texts)): members = Self.texts(texts)
    case (_, .object(let texts)): byKey[keyword] = Self.texts(texts)
    default: break
    }
  }

  private static func texts(_ object: JSONObject) -> [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in object { texts[key] = value.string }
    return texts
  }

  /// The words for a failure of a keyword; `key` is the key that is missing or unknown.
  func text(for keyword: String, key: String?) -> String? {
    key.flatMap { byKey[keyword]?[$0] } ?? byKeyword[keyword] ?? whole
  }

  /// The words for all that is wrong with a member.
  func text(forMember key: String) -> String? {
    members[key]
  }

  /// The words for all that is wrong with an element.
  func text(forElement index: Int) -> String? {
    elements.indices.contains(index) ? elements[index] : everyElement
  }
}
