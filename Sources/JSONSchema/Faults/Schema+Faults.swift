public import AgentJSON

extension SchemaDialect {
  /// The draft's own metaschema: what a schema of the draft has to look like, as a schema.
  ///
  /// Every schema may refer to it without registering it.
  public var metaschema: JSONValue {
    Metaschema.document(at: URIReference(uri).withoutFragment.description) ?? true
  }
}

extension Schema {
  /// Everything that is wrong with `document` as a schema, explained for the person who wrote it:
  /// by the metaschema that its `$schema` names (else that of the options' draft), and what only
  /// compiling finds, such as references that lead nowhere. Keywords that look like another one, or
  /// mean something in other drafts only, are warnings.
  ///
  /// Nothing but warnings for a schema that can be used.
  public static func faults(
    in document: JSONNode, registry: SchemaRegistry = SchemaRegistry(),
    options: SchemaOptions = SchemaOptions()
  ) -> [SchemaFailure] {
    let address = document["$schema"]?.string ?? options.dialect.uri
    var faults = metaschema(at: address, registry)?.validate(document) ?? []
    do {
      _ = try Schema(document.value, registry: registry, options: options)
    } catch {
      // A fault that the metaschema has reported for its place isn't reported again.
      faults += error.all.filter { problem in
        problem.document == nil
          && !faults.contains { $0.instance.tokens.starts(with: problem.pointer.tokens) }
      }.map { SchemaFailure($0, in: document) }
    }
    faults += KeywordAdvice(document, registry: registry, options: options).warnings
    return faults.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The compiled metaschema of an address; nil where it isn't known, which compiling will tell.
  private static func metaschema(at address: String, _ registry: SchemaRegistry) -> Schema? {
    guard let dialect = SchemaDialect(uri: address) else {
      return try? Schema(["$ref": .string(address)], registry: registry)
    }
    switch dialect {
    case .draft4: return draft4
    case .draft6: return draft6
    case .draft7: return draft7
    case .draft2019: return draft2019
    case .draft2020: return draft2020
    }
  }

  // Each is compiled when it is first asked for.
  private static let draft4 = try? Schema(SchemaDialect.draft4.metaschema)
  private static let draft6 = try? Schema(SchemaDialect.draft6.metaschema)
  private static let draft7 = try? Schema(SchemaDialect.draft7.metaschema)
  private static let draft2019 = try? Schema(SchemaDialect.draft2019.metaschema)
  private static let draft2020 = try? Schema(SchemaDialect.draft2020.metaschema)
}

extension SchemaFailure {
  /// The faults that only compiling finds, at their places in the schema.
  fileprivate init(_ error: SchemaError, in document: JSONNode) {
    let place = document.node(at: error.pointer) ?? document
    self.init(
      instance: error.pointer, key: nil, range: place.range, schema: .root,
      keyword: error.pointer.last ?? "", expected: "a schema that can be used",
      found: FoundText.of(place), suggestion: nil, message: error.message,
      missingDocument: error.missingDocument, nearestKey: nil)
  }
}
