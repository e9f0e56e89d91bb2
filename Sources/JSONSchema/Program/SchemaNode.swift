import AgentJSON

/// A compiled schema, which is a node of the flat program. It refers to other nodes by their index.
///
/// Rationale: it is a class although it behaves like a value. A check passes it on at every step,
/// and a struct of this size would be copied each time.
final class SchemaNode: Sendable {
  /// The path in its document.
  let path: SchemaPath
  /// The schema resource of the node: the part of a document with its own `$id`.
  let resource: Int
  /// The schema as it was written.
  let source: JSONValue
  /// The demands, cheap ones first and `unevaluated…` last.
  let keywords: [SchemaKeyword]
  let notes: SchemaNotes
  /// Whether `unevaluated…` needs the parts that its subschemas have evaluated.
  let tracks: Bool
  let isDeprecated: Bool
  /// Whether a keyword may evaluate all members or elements of a value.
  let looksInside: Bool
  /// The required keys, if there are many.
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
    // Explanations test for each member of an object whether it is required.
    required = keys.count > 16 ? Set(keys.map(ExactText.init)) : []
  }

  /// The pointer in its document.
  var pointer: JSONPointer { path.pointer }

  /// Whether no value matches.
  var isNever: Bool {
    if case .never? = keywords.first { return true }
    return false
  }

  /// Returns whether it requires a key of an object.
  func requires(_ key: String) -> Bool {
    required.isEmpty ? Self.required(keywords).contains(key) : required.contains(ExactText(key))
  }

  private static func required(_ keywords: [SchemaKeyword]) -> [String] {
    for case .required(let keys) in keywords { return keys }
    return []
  }
}

/// The annotations of a schema.
struct SchemaNotes: Sendable {
  var title: String?
  var description: String?
  var defaultValue: JSONValue?
  var examples: [JSONValue] = []
  var messages = SchemaMessages()
  /// The keywords that are `true`, such as `writeOnly` and `deprecated`.
  var marks: [String] = []
}
