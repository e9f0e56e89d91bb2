import AgentJSON

/// The schema author's texts for failures: `errorMessage`, by the convention of ajv-errors.
struct SchemaMessages: Sendable {
  /// The text for every keyword without a text of its own.
  private var whole: String?
  private var byKeyword: [String: String] = [:]
  /// The texts for `required` and similar keywords, by the missing key.
  private var byKey: [String: [String: String]] = [:]
  /// The texts for all failures inside a member.
  private var members: [String: String] = [:]
  /// The texts for all failures inside an element, by its index or for all elements.
  private var elements: [String?] = []
  private var everyElement: String?

  /// Creates a value without texts.
  init() {}

  /// Reads the value of `errorMessage`. Returns `nil` if it is neither a text nor an object.
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

  /// Returns the text for a failure of a keyword.
  /// - Parameter key: the missing or unknown key.
  func text(for keyword: String, key: String?) -> String? {
    key.flatMap { byKey[keyword]?[$0] } ?? byKeyword[keyword] ?? whole
  }

  /// Returns the text for all failures of a member.
  func text(forMember key: String) -> String? {
    members[key]
  }

  /// Returns the text for all failures of an element.
  func text(forElement index: Int) -> String? {
    elements.indices.contains(index) ? elements[index] : everyElement
  }
}
