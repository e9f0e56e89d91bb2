public import AgentJSON

extension Schema {
  /// Returns `value` with the `default`s of its missing keys, at every depth where it has objects
  /// or gets them by a default.
  ///
  /// A default without an object in the value isn't inserted. The first matching branch of `anyOf`
  /// and `oneOf` counts.
  public func defaults(for value: JSONValue) -> JSONValue {
    var filling = DefaultFilling(walk: SchemaWalk(program: program))
    return filling.fill(value, by: 0)
  }
}

private struct DefaultFilling {
  let walk: SchemaWalk
  /// The schemas whose defaults are being inserted. One inside itself would have no end.
  private var open: Set<Int> = []
  /// The number of defaults that may still be inserted. It bounds schemas that multiply them.
  private var remaining = 100_000

  init(walk: SchemaWalk) {
    self.walk = walk
  }

  mutating func fill(_ value: JSONValue, by schema: Int) -> JSONValue {
    var value = value
    for keyword in walk.program.nodes[schema].keywords { value = fill(value, by: keyword) }
    return value
  }

  private mutating func fill(_ value: JSONValue, byAll schemas: [Int]) -> JSONValue {
    var value = value
    for schema in schemas { value = fill(value, by: schema) }
    return value
  }

  private mutating func fill(_ value: JSONValue, by keyword: SchemaKeyword) -> JSONValue {
    switch (keyword, value) {
    case (.properties(let rules), .object(let object)): .object(fill(object, by: rules))
    case (.elements(let rules), .array(let elements)): .array(fill(elements, by: rules))
    case (.reference, _), (.dynamicReference, _), (.allOf, _):
      fill(value, byAll: walk.applicable(keyword, to: nil))
    case (.anyOf(let targets), _), (.oneOf(let targets), _): fillFirst(value, by: targets)
    case (.conditional, _), (.dependentSchemas, _):
      fill(value, byAll: walk.applicable(keyword, to: JSONDocument(value).root))
    default: value
    }
  }

  private mutating func fillFirst(_ value: JSONValue, by targets: [Int]) -> JSONValue {
    let node = JSONDocument(value).root
    return targets.first { walk.fits($0, node) }.map { fill(value, by: $0) } ?? value
  }

  private mutating func fill(_ object: JSONObject, by rules: PropertyRules) -> JSONObject {
    var object = object
    for (key, value) in object { object[key] = fill(value, byAll: rules.nodes(for: key)) }
    for key in rules.order where object[key] == nil {
      if let target = rules.named[key] { object[key] = filledDefault(of: target) }
    }
    return object
  }

  private mutating func filledDefault(of schema: Int) -> JSONValue? {
    let value = walk.program.conjunction(of: schema).lazy
      .compactMap { [walk] in walk.program.nodes[$0].notes.defaultValue }.first
    guard let value, remaining > 0, open.insert(schema).inserted else { return nil }
    remaining -= 1
    defer { open.remove(schema) }
    return fill(value, by: schema)
  }

  private mutating func fill(_ elements: [JSONValue], by rules: ElementRules) -> [JSONValue] {
    var filled = elements
    for (index, element) in elements.enumerated() {
      if let target = rules.node(at: index) { filled[index] = fill(element, by: target) }
    }
    return filled
  }
}
