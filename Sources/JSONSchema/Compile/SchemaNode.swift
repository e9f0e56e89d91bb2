import AgentJSON

/// One compiled schema: a place in the flat program. Other nodes are named by their index in it.
///
/// Rationale: a class, though a value in all it does, because a check hands it around at every
/// step, and a struct of this size would be copied each time.
final class SchemaNode: Sendable {
  /// Where it stands in its document.
  let path: SchemaPath
  /// The schema resource (what has an `$id` of its own) that it belongs to.
  let resource: Int
  /// The schema as it is written.
  let source: JSONValue
  /// What it demands, cheap things first and `unevaluated…` last.
  let keywords: [SchemaKeyword]
  let notes: SchemaNotes
  /// Whether it needs to know what its parts have looked at, for `unevaluated…`.
  let tracks: Bool
  let isDeprecated: Bool
  /// Whether a keyword may go through all members or elements of a value.
  let looksInside: Bool
  /// The required keys, where there are many.
  private let required: Set<ExactText>

  init(
    path: SchemaPath, resource: Int, source: JSONValue, keywords: [SchemaKeyword],
    notes: SchemaNotes
  ) {
    self.path = path
    self.resource = resource
    self.source = source
    self.keywords = keywords
    self.notes = notes
    tracks = keywords.contains { keyword in
      switch keyword {
      case .unevaluatedItems, .unevaluatedProperties: true
      default: false
      }
    }
    looksInside = keywords.contains(where: \.looksInside)
    isDeprecated = notes.marks.contains("deprecated")
    let keys = Self.required(keywords)
    required = keys.count > 16 ? Set(keys.map(ExactText.init)) : []
  }

  /// Where it stands in its document.
  var pointer: JSONPointer { path.pointer }

  /// Whether it refuses everything.
  var isNever: Bool {
    if case .never? = keywords.first { return true }
    return false
  }

  /// Whether it demands that an object has the key.
  func requires(_ key: String) -> Bool {
    required.isEmpty ? Self.required(keywords).contains(key) : required.contains(ExactText(key))
  }

  private static func required(_ keywords: [SchemaKeyword]) -> [String] {
    for case .required(let keys) in keywords { return keys }
    return []
  }
}

/// What a schema says to people and programs without demanding anything.
struct SchemaNotes: Sendable {
  var title: String?
  var description: String?
  var defaultValue: JSONValue?
  var examples: [JSONValue] = []
  var messages = SchemaMessages()
  /// The keywords that are `true`, such as `writeOnly` and `deprecated`.
  var marks: [String] = []
}
