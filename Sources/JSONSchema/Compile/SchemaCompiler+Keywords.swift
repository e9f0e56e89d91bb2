import AgentJSON

extension SchemaCompiler {
  /// The demands of one schema in the order in which they are checked.
  mutating func keywords(_ reader: inout KeywordReader) -> [SchemaKeyword] {
    var keywords: [SchemaKeyword] = []
    values(&reader, &keywords)
    texts(&reader, &keywords)
    objects(&reader, &keywords)
    lists(&reader, &keywords)
    references(&reader, &keywords)
    combinations(&reader, &keywords)
    if let place = reader.schema(at: "unevaluatedItems") {
      keywords.append(.unevaluatedItems(node(at: place)))
    }
    if let place = reader.schema(at: "unevaluatedProperties") {
      keywords.append(.unevaluatedProperties(node(at: place)))
    }
    return keywords
  }

  private func values(_ reader: inout KeywordReader, _ keywords: inout [SchemaKeyword]) {
    if let types = reader.types() { keywords.append(.type(types)) }
    if let value = reader.schema["const"] { keywords.append(.const(value)) }
    if let values = reader.list("enum") { keywords.append(.enumeration(values)) }
    if let divisor = reader.divisor("multipleOf") { keywords.append(.multipleOf(divisor)) }
    for relation in NumberBound.Relation.allCases {
      guard let limit = reader.number(relation.rawValue) else { continue }
      keywords.append(.bound(NumberBound(relation: relation, limit: limit)))
    }
    for (keyword, measure, isMinimum) in Self.sizes {
      guard let limit = reader.count(keyword) else { continue }
      keywords.append(
        .size(
          SizeBound(keyword: keyword, measure: measure, isMinimum: isMinimum, limit: limit)))
    }
  }

  private static let sizes: [(String, SizeBound.Measure, Bool)] = [
    ("minLength", .characters, true), ("maxLength", .characters, false),
    ("minItems", .elements, true), ("maxItems", .elements, false),
    ("minProperties", .keys, true), ("maxProperties", .keys, false),
  ]

  private mutating func texts(_ reader: inout KeywordReader, _ keywords: inout [SchemaKeyword]) {
    if let text = reader.text("pattern") {
      if let pattern = pattern(text, at: reader.location.appending("pattern")) {
        keywords.append(.pattern(pattern))
      }
    }
    if let name = reader.text("format"), assertsFormats, let format = Format(rawValue: name) {
      keywords.append(.format(format))
    }
  }

  private mutating func pattern(_ text: String, at location: SchemaLocation) -> Pattern? {
    do {
      return try Pattern(text)
    } catch {
      let quoted = FoundText.of(.string(text))
      report(
        .malformedPattern, location, nil,
        "The pattern \(quoted) can't be used: \(error.message)")
      return nil
    }
  }
}

// MARK: - Objects and lists

extension SchemaCompiler {
  private mutating func objects(_ reader: inout KeywordReader, _ keywords: inout [SchemaKeyword]) {
    if let keys = reader.texts("required"), !keys.isEmpty { keywords.append(.required(keys)) }
    if let dependents = reader.textLists("dependentRequired"), !dependents.isEmpty {
      keywords.append(.dependentRequired(dependents.map { DependentKeys(key: $0, needed: $1) }))
    }
    if let place = reader.schema(at: "propertyNames") {
      keywords.append(.propertyNames(node(at: place)))
    }
    if let rules = propertyRules(&reader) { keywords.append(.properties(rules)) }
  }

  private mutating func propertyRules(_ reader: inout KeywordReader) -> PropertyRules? {
    var rules = PropertyRules()
    for (key, place) in reader.schemas(by: "properties") ?? [] {
      rules.named.append(key, node(at: place))
    }
    for (text, place) in reader.schemas(by: "patternProperties") ?? [] {
      guard let pattern = pattern(text, at: place) else { continue }
      rules.matching.append(PropertyRules.Matching(pattern: pattern, node: node(at: place)))
    }
    rules.others = reader.schema(at: "additionalProperties").map { node(at: $0) }
    let isEmpty = rules.named.isEmpty && rules.matching.isEmpty && rules.others == nil
    return isEmpty ? nil : rules
  }

  private mutating func lists(_ reader: inout KeywordReader, _ keywords: inout [SchemaKeyword]) {
    var rules = ElementRules()
    rules.prefix = (reader.schemas(in: "prefixItems") ?? []).map { node(at: $0) }
    if reader.schema["items"]?.array != nil {
      reader.refuse("items", "\"items\" is one schema since 2020-12. A list is \"prefixItems\".")
    } else if let place = reader.schema(at: "items") {
      rules.rest = node(at: place)
    }
    if !rules.prefix.isEmpty || rules.rest != nil { keywords.append(.elements(rules)) }
    if reader.flag("uniqueItems") { keywords.append(.uniqueItems) }
    let least = reader.count("minContains") ?? 1
    let most = reader.count("maxContains")
    if let place = reader.schema(at: "contains") {
      keywords.append(
        .contains(ContainsRule(node: node(at: place), least: least, most: most, covers: true)))
    }
  }
}

// MARK: - References and combinations

extension SchemaCompiler {
  private mutating func references(
    _ reader: inout KeywordReader, _ keywords: inout [SchemaKeyword]
  ) {
    checkNames(&reader)
    if let text = reader.text("$ref"), let place = target(of: text, "$ref", reader.location) {
      keywords.append(.reference(node(at: place)))
    }
    if let text = reader.text("$dynamicRef"),
      let place = target(of: text, "$dynamicRef", reader.location)
    {
      let index = node(at: place)
      if let anchor = library.dynamicAnchor(of: text, at: place) {
        keywords.append(.dynamicReference(index, anchor: anchor))
      } else {
        keywords.append(.reference(index))
      }
    }
  }

  private func checkNames(_ reader: inout KeywordReader) {
    if let id = reader.text("$id"), let fragment = URIReference(id).fragment, !fragment.isEmpty {
      reader.refuse("$id", "\"$id\" must not have a fragment. Name places with \"$anchor\".")
    }
    for key in ["$anchor", "$dynamicAnchor"] {
      guard let name = reader.text(key), !Self.isAnchor(name) else { continue }
      reader.refuse(
        key, "\"\(key)\" must be a letter or \"_\", then letters, digits, \"-\", \"_\" or \".\".")
    }
    for key in ["$defs", "definitions"] { _ = reader.schemas(by: key) }
  }

  private static func isAnchor(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else {
      return false
    }
    return name.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
  }

  private mutating func target(
    of reference: String, _ keyword: String, _ location: SchemaLocation
  ) -> SchemaLocation? {
    if let place = library.resolve(reference, in: library.resource(of: location)) { return place }
    let quoted = FoundText.of(.string(reference))
    report(
      .unresolvedReference, location, keyword,
      "\(quoted) is neither in this schema nor registered; references are never fetched.")
    return nil
  }

  private mutating func combinations(
    _ reader: inout KeywordReader, _ keywords: inout [SchemaKeyword]
  ) {
    if let places = reader.schemas(in: "allOf") {
      keywords.append(.allOf(places.map { node(at: $0) }))
    }
    if let places = reader.schemas(in: "anyOf") {
      keywords.append(.anyOf(places.map { node(at: $0) }))
    }
    if let places = reader.schemas(in: "oneOf") {
      keywords.append(.oneOf(places.map { node(at: $0) }))
    }
    if let place = reader.schema(at: "not") { keywords.append(.not(node(at: place))) }
    if let place = reader.schema(at: "if") {
      keywords.append(
        .conditional(
          ConditionalRule(
            condition: node(at: place), then: reader.schema(at: "then").map { node(at: $0) },
            otherwise: reader.schema(at: "else").map { node(at: $0) })))
    }
    if let schemas = reader.schemas(by: "dependentSchemas"), !schemas.isEmpty {
      keywords.append(
        .dependentSchemas(schemas.map { DependentSchema(key: $0, node: node(at: $1)) }))
    }
  }
}
