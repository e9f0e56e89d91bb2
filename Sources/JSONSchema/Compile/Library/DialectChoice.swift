import AgentJSON

/// Finds the rules for a `$schema`: those of a draft, or of a registered metaschema.
struct DialectChoice {
  /// The reason why the rules can't be found.
  struct Problem: Error {
    let fault: SchemaResource.Fault

    init(_ code: SchemaError.Code, _ message: String) {
      fault = SchemaResource.Fault(code: code, message: message)
    }
  }

  let registry: SchemaRegistry
  private var known: [String: DialectRules] = [:]

  init(registry: SchemaRegistry) {
    self.registry = registry
  }

  /// Returns the rules for `uri` in `schema`, which may be its own metaschema.
  mutating func rules(for uri: String, _ schema: JSONObject) -> Result<DialectRules, Problem> {
    if let dialect = SchemaDialect(uri: uri) { return .success(DialectRules(dialect)) }
    if let rules = known[uri] { return .success(rules) }
    let result = custom(uri, schema)
    if case .success(let rules) = result { known[uri] = rules }
    return result
  }

  private func custom(_ uri: String, _ schema: JSONObject) -> Result<DialectRules, Problem> {
    var uri = uri
    var seen: Set<String> = []
    // A metaschema without vocabularies has the rules of its own metaschema.
    while seen.insert(uri).inserted {
      if let dialect = SchemaDialect(uri: uri) { return .success(DialectRules(dialect)) }
      guard let metaschema = metaschema(uri, schema) else { break }
      if let vocabularies = metaschema["$vocabulary"]?.object {
        return rules(vocabularies, metaschema["$schema"]?.string)
      }
      guard let next = metaschema["$schema"]?.string else { break }
      uri = next
    }
    let names = SchemaDialect.allCases.map(\.name)
    let quoted = FoundText.quoted(uri)
    return .failure(
      Problem(
        .unknownDialect,
        "\"$schema\" names \(quoted), which is neither registered nor a draft known here: "
          + FoundText.choice(names, "and") + "."))
  }

  private func metaschema(_ uri: String, _ schema: JSONObject) -> JSONValue? {
    let address = URIReference(uri).withoutFragment.description
    if let known = registry.documents[address] ?? Metaschema.document(at: address) { return known }
    return schema["$id"]?.string == uri ? .object(schema) : nil
  }

  private func rules(
    _ vocabularies: JSONObject, _ uri: String?
  ) -> Result<DialectRules, Problem> {
    var known: [(Vocabulary, isRequired: Bool)] = []
    for (name, value) in vocabularies {
      let isRequired = value.bool == true
      if let vocabulary = Vocabulary(uri: name) {
        known.append((vocabulary, isRequired))
      } else if isRequired {
        let message = "The metaschema demands the vocabulary \(FoundText.quoted(name)), "
        return .failure(Problem(.unknownVocabulary, message + "which isn't known here."))
      }
    }
    let dialect = known.map(\.0.dialect).max() ?? uri.flatMap(SchemaDialect.init(uri:))
    return .success(DialectRules(dialect ?? .draft2020, known))
  }
}

extension SchemaDialect {
  /// Returns the draft whose metaschema has this address, with or without an empty fragment.
  /// Returns `nil` if there is none.
  public init?(uri: String) {
    guard let dialect = Self.byURI[uri] else { return nil }
    self = dialect
  }

  private static let byURI: [String: SchemaDialect] = {
    var table: [String: SchemaDialect] = [:]
    for dialect in allCases {
      let bare = dialect.uri.hasSuffix("#") ? String(dialect.uri.dropLast()) : dialect.uri
      guard let mark = bare.firstIndex(of: ":") else { continue }
      for scheme in ["http", "https"] {
        table[scheme + bare[mark...]] = dialect
        table[scheme + bare[mark...] + "#"] = dialect
      }
    }
    return table
  }()
}
