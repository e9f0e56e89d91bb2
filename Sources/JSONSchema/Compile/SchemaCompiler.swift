import AgentJSON

/// Compiles documents to the flat program. A queue contains the schemas to compile, so that no
/// depth and no chain of references exhausts the stack.
struct SchemaCompiler {
  let options: SchemaOptions
  var library: SchemaLibrary
  var reader = KeywordReader()
  /// The place of the schema that is being compiled.
  private(set) var current = 0
  /// The names of the anchors that dynamic references use.
  var dynamicNames: Set<String> = []
  private var nodes: [SchemaNode] = []
  /// The places to compile. A place and its node have the same index.
  private var queue: [Int] = []
  private var errors: [SchemaError] = []

  init(_ document: JSONValue, registry: SchemaRegistry, options: SchemaOptions) {
    self.options = options
    library = SchemaLibrary(document, registry: registry, dialect: options.dialect)
  }

  mutating func compile() throws(SchemaError) -> SchemaProgram {
    // A schema without a reference to it isn't compiled.
    _ = node(at: 0)
    while nodes.count < queue.count {
      nodes.append(build(queue[nodes.count]))
      // A reference may have added resources with such anchors, and these may add more.
      if nodes.count == queue.count, !dynamicNames.isEmpty { queueDynamicAnchors() }
    }
    let program = SchemaProgram(
      nodes: nodes, dynamicAnchors: dynamicAnchors(), resources: programResources())
    // After all nodes exist, because a loop may contain any of them.
    refuseEndlessReferences(in: program)
    if var first = errors.first {
      // All faults at once, so that an author need not repair and compile them one by one.
      first.others = Array(errors.dropFirst())
      throw first
    }
    return program
  }

  /// Returns the index of the schema at a place. A new one is added to the queue.
  mutating func node(at place: Int) -> Int {
    // A schema is compiled once, even if it refers to itself or has several references.
    let known = library.places[place].node
    guard known < 0 else { return known }
    library.setNode(queue.count, of: place)
    queue.append(place)
    return queue.count - 1
  }

  private mutating func build(_ number: Int) -> SchemaNode {
    current = number
    let place = library.places[number]
    // Once for each resource, at its first schema.
    if let fault = library.takeFault(of: place.resource) {
      report(
        fault.code, at: library.resources[place.resource].root, tokens: ["$schema"],
        message: fault.message)
    }
    var keywords: [SchemaKeyword] = []
    var notes = SchemaNotes()
    switch place.value {
    case .bool(let fits) where hasBoolean(at: place):
      if !fits { keywords = [.never] }
    case .object(let schema):
      reader.open(schema, library.resources[place.resource].rules)
      notes = self.notes()
      keywords = self.keywords()
      for fault in reader.faults {
        report(
          .malformedKeyword, at: number, tokens: fault.token.map { [$0] } ?? [],
          message: fault.message)
      }
    case let value:
      let form = library.rules(at: number).hasBooleans ? "an object, true or false" : "an object"
      report(
        .notASchema, at: number, tokens: [],
        message: "A schema is \(form), not \(FoundText.of(value)).")
    }
    return SchemaNode(
      path: place.path, resource: place.resource, source: place.value, keywords: keywords,
      notes: notes)
  }

  /// Returns whether the schema at a place may be a boolean. Draft 4 allows that at two places
  /// only.
  private func hasBoolean(at place: SchemaPlace) -> Bool {
    library.resources[place.resource].rules.hasBooleans
      || ["additionalProperties", "additionalItems"].contains(place.path.token)
  }

  mutating func report(
    _ code: SchemaError.Code, at place: Int, tokens: [String], message: String,
    missingDocument: String? = nil
  ) {
    errors.append(
      SchemaError(
        code: code, pointer: JSONPointer(tokens: library.places[place].path.tokens() + tokens),
        document: library.name(of: place), message: message, missingDocument: missingDocument))
  }

  var assertsFormats: Bool { options.formats == .assertion || reader.rules.assertsFormat }

  private func programResources() -> [SchemaProgram.Resource] {
    library.resources.map {
      SchemaProgram.Resource(
        uri: $0.uri, depth: library.places[$0.root].path.depth, rules: $0.rules)
    }
  }
}

// MARK: - Schemas in schemas

extension SchemaCompiler {
  /// Returns the node of the schema that is the value of a keyword.
  mutating func schema(_ keyword: KeywordName) -> Int? {
    guard let value = reader[keyword] else { return nil }
    return node(at: library.child(keyword.text, of: current, value: value, role: .schema))
  }

  /// Returns the nodes of the schemas in the list of a keyword.
  mutating func schemas(in keyword: KeywordName, mayBeEmpty: Bool = false) -> [Int] {
    let list = mayBeEmpty ? reader.list(keyword) : reader.schemas(in: keyword)
    guard let list, let value = reader[keyword] else { return [] }
    let holder = library.child(keyword.text, of: current, value: value, role: .schemas)
    var nodes: [Int] = []
    nodes.reserveCapacity(list.count)
    for (index, value) in list.enumerated() {
      nodes.append(node(at: library.child(String(index), of: holder, value: value, role: .schema)))
    }
    return nodes
  }

  /// Calls `body` with each schema in the object of a keyword. The lists of keys in `dependencies`
  /// aren't schemas.
  mutating func forEachSchema(
    by keyword: KeywordName, _ body: (inout SchemaCompiler, String, Int) -> Void
  ) {
    guard let members = reader.schemas(by: keyword), let value = reader[keyword] else { return }
    let holder = library.child(keyword.text, of: current, value: value, role: .schemas)
    for (key, value) in members {
      if keyword == .dependencies, value.kind == .array { continue }
      body(&self, key, node(at: library.child(key, of: holder, value: value, role: .schema)))
    }
  }
}

// MARK: - Dynamic anchors

extension SchemaCompiler {
  /// Queues the dynamic anchors of the resources that a check can enter. Other resources may be
  /// registered but not used.
  private mutating func queueDynamicAnchors() {
    library.findAnchors()
    // Sorted, so that nodes have the same numbers in every run.
    for resource in Set(nodes.map(\.resource)).sorted() {
      for (_, place) in library.dynamicPlaces(in: resource, named: dynamicNames) {
        _ = node(at: place)
      }
    }
  }

  private func dynamicAnchors() -> [[String: Int]] {
    library.resources.indices.map { resource in
      guard !dynamicNames.isEmpty else { return [:] }
      var anchors: [String: Int] = [:]
      for (name, place) in library.dynamicPlaces(in: resource, named: dynamicNames) {
        let node = library.places[place].node
        if node >= 0 { anchors[name] = node }
      }
      return anchors
    }
  }
}

// MARK: - Endless references

extension SchemaCompiler {
  private mutating func refuseEndlessReferences(in program: SchemaProgram) {
    let loops = SchemaLoops(program)
    if let node = loops.loop {
      report(
        .endlessReference, at: queue[node], tokens: [],
        message:
          "This schema refers back to itself without going into the value, so that checking would "
          + "never end.")
    }
    if let node = loops.deep {
      report(
        .tooDeep, at: queue[node], tokens: [],
        message: "More than \(SchemaLoops.maxChain) references follow on each other from here.")
    }
  }
}
