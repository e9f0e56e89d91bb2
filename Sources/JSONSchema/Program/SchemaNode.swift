import AgentJSON

/// One compiled schema, which is a node of the flat program. It names other nodes by their index.
///
/// Rationale: a class, though a value in all it does, because a check hands it around at every
/// step, and a struct of this size would be copied each time.
final class SchemaNode: Sendable {
  /// Where it stands in its document.
  let path: SchemaPath
  /// The schema resource to which it belongs: the part of a document with an `$id` of its own.
  let resource: Int
  /// The schema as it is written.
  let source: JSONValue
  /// Its demands, cheap ones first and `unevaluated…` last.
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
    // Explanations ask for each member of an object whether it is required.
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

/// The annotations of a schema, which demand nothing.
struct SchemaNotes: Sendable {
  var title: String?
  var description: String?
  var defaultValue: JSONValue?
  var examples: [JSONValue] = []
  var messages = SchemaMessages()
  /// The keywords that are `true`, such as `writeOnly` and `deprecated`.
  var marks: [String] = []
}
