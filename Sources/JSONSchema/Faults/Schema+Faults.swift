public import AgentJSON

extension SchemaDialect {
  /// The draft's own metaschema: a schema for the schemas of the draft.
  ///
  /// Every schema may refer to it without registering it.
  public var metaschema: JSONValue {
    Metaschema.document(at: URIReference(uri).withoutFragment.description) ?? true
  }
}

extension Schema {
  /// Returns all faults of `document` as a schema, explained for its author. They come from the
  /// metaschema that its `$schema` names, or that of the options' draft, and from compiling, such
  /// as references without a target. Keywords that are similar to another one or belong to other
  /// drafts are warnings.
  ///
  /// A usable schema has only warnings.
  public static func faults(
    in document: JSONNode, registry: SchemaRegistry = SchemaRegistry(),
    options: SchemaOptions = SchemaOptions()
  ) -> [SchemaFailure] {
    let address = document["$schema"]?.string ?? options.dialect.uri
    var faults = metaschema(at: address, registry)?.validate(document) ?? []
    do {
      _ = try Schema(document.value, registry: registry, options: options)
    } catch {
      // A fault isn't reported again if the metaschema has reported one for the same place.
      faults += error.all.filter { problem in
        problem.document == nil
          && !faults.contains { $0.instance.tokens.starts(with: problem.pointer.tokens) }
      }.map { SchemaFailure($0, in: document) }
    }
    faults += KeywordAdvice(document, registry: registry, options: options).warnings
    return faults.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Returns the compiled metaschema with an address, or `nil` if it is unknown. Compiling then
  /// reports that.
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

  // Each is compiled at its first use.
  private static let draft4 = try? Schema(SchemaDialect.draft4.metaschema)
  private static let draft6 = try? Schema(SchemaDialect.draft6.metaschema)
  private static let draft7 = try? Schema(SchemaDialect.draft7.metaschema)
  private static let draft2019 = try? Schema(SchemaDialect.draft2019.metaschema)
  private static let draft2020 = try? Schema(SchemaDialect.draft2020.metaschema)
}

extension SchemaFailure {
  /// Creates the fault for an error of compiling, at its place in the schema.
  fileprivate init(_ error: SchemaError, in document: JSONNode) {
    let place = document.node(at: error.pointer) ?? document
    self.init(
      instance: error.pointer, key: nil, range: place.range, schema: .root,
      keyword: error.pointer.last ?? "", expected: "a schema that can be used",
      found: FoundText.of(place), suggestion: nil, message: error.message,
      missingDocument: error.missingDocument, nearestKey: nil)
  }
}
