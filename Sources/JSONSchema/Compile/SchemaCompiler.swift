import AgentJSON

/// Turns documents into the flat program. Schemas are compiled from a queue, so that no nesting or
/// chain of references is too deep for it.
struct SchemaCompiler {
  private let options: SchemaOptions
  var library: SchemaLibrary
  private var nodes: [SchemaNode] = []
  private var indexes: [SchemaLocation: Int] = [:]
  private var locations: [SchemaLocation] = []
  private(set) var errors: [SchemaError] = []

  init(_ document: JSONValue, registry: SchemaRegistry, options: SchemaOptions) {
    self.options = options
    library = SchemaLibrary(document, registry: registry)
  }

  mutating func compile() throws(SchemaError) -> SchemaProgram {
    _ = node(at: SchemaLocation(document: 0, tokens: []))
    var next = 0
    while next < nodes.count {
      build(next)
      next += 1
      // Anchors of resources that came with a reference; more of them may come that way.
      if next == nodes.count { reserveDynamicAnchors() }
    }
    let program = SchemaProgram(nodes: nodes, dynamicAnchors: dynamicAnchors())
    refuseEndlessReferences(in: program)
    if var first = errors.first {
      first.others = Array(errors.dropFirst())
      throw first
    }
    return program
  }

  /// The index of the schema at a place, which is put in the queue when it is new.
  mutating func node(at location: SchemaLocation) -> Int {
    if let known = indexes[location] { return known }
    let pointer = JSONPointer(tokens: location.tokens)
    nodes.append(SchemaNode(pointer: pointer, resource: library.resource(of: location)))
    locations.append(location)
    indexes[location] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func build(_ index: Int) {
    let location = locations[index]
    switch library.value(at: location) {
    case .bool(true): break
    case .bool(false): replace(index, [.never], SchemaNotes())
    case .object(let schema):
      var reader = KeywordReader(schema, at: location)
      let notes = reader.notes()
      replace(index, keywords(&reader), notes)
      for fault in reader.faults {
        report(.malformedKeyword, location, fault.token, fault.message)
      }
    case let value:
      let found = value.map(FoundText.of) ?? "nothing"
      report(.notASchema, location, nil, "A schema is an object, true or false, not \(found).")
    }
  }

  private mutating func replace(
    _ index: Int, _ keywords: [SchemaKeyword], _ notes: SchemaNotes
  ) {
    let node = nodes[index]
    nodes[index] = SchemaNode(
      pointer: node.pointer, resource: node.resource, keywords: keywords, notes: notes)
  }

  mutating func report(
    _ code: SchemaError.Code, _ location: SchemaLocation, _ token: String?, _ message: String
  ) {
    let place = token.map(location.appending) ?? location
    errors.append(
      SchemaError(
        code: code, pointer: JSONPointer(tokens: place.tokens),
        document: library.name(of: location.document), message: message))
  }

  var assertsFormats: Bool { options.formats == .assertion }
}

// MARK: - Dynamic anchors

extension SchemaCompiler {
  /// Only resources that a check can enter count; others may be registered and never be used.
  private mutating func reserveDynamicAnchors() {
    let entered = Set(nodes.map(\.resource))
    for (index, resource) in library.resources.enumerated() where entered.contains(index) {
      for (_, location) in resource.dynamicAnchors.sorted(by: { $0.key < $1.key }) {
        _ = node(at: location)
      }
    }
  }

  private func dynamicAnchors() -> [[String: Int]] {
    library.resources.map { $0.dynamicAnchors.compactMapValues { indexes[$0] } }
  }
}

// MARK: - Endless references

extension SchemaCompiler {
  /// Longer chains of schemas for one and the same value are refused.
  private static let maximumChain = 128

  /// Takes away every schema whose partners are all taken away; what stays leads into a loop.
  private mutating func refuseEndlessReferences(in program: SchemaProgram) {
    var waiting = program.nodes.map { Set($0.partners) }
    var dependents = Array(repeating: [Int](), count: waiting.count)
    for (node, partners) in waiting.enumerated() {
      for partner in partners { dependents[partner].append(node) }
    }
    var heights = Array(repeating: 0, count: waiting.count)
    var ready = waiting.indices.filter { waiting[$0].isEmpty }
    while let node = ready.popLast() {
      for dependent in dependents[node] {
        heights[dependent] = max(heights[dependent], heights[node] + 1)
        waiting[dependent].remove(node)
        if waiting[dependent].isEmpty { ready.append(dependent) }
      }
    }
    reportLoops(waiting)
    if let deep = heights.firstIndex(where: { $0 > Self.maximumChain }) {
      report(
        .tooDeep, locations[deep], nil,
        "More than \(Self.maximumChain) references follow on each other from here.")
    }
  }

  private mutating func reportLoops(_ waiting: [Set<Int>]) {
    guard var place = waiting.firstIndex(where: { !$0.isEmpty }) else { return }
    var seen: Set<Int> = []
    while seen.insert(place).inserted, let next = waiting[place].min() { place = next }
    report(
      .endlessReference, locations[place], nil,
      "This schema refers back to itself without going into the value, so that checking would "
        + "never end.")
  }
}
