import AgentJSON

/// The documents of one compilation and the places in them that matter.
///
/// A place is made when the compiler or a reference comes to it. The addresses in a document are
/// looked for only when a reference can't be followed without: most schemas are small and have
/// none, and have to be compiled quickly.
struct SchemaLibrary {
  private struct Document {
    let root: Int
    let name: String?
    var isScanned = false
  }

  let registry: SchemaRegistry
  private(set) var places: [SchemaPlace] = []
  private(set) var resources: [SchemaResource] = []
  private var documents: [Document] = []
  private var byAddress: [String: Int] = [:]
  private var loaded: Set<String> = []
  /// The places by what holds them; empty until somebody asks for a place by its name.
  private var children: [PlaceKey: Int] = [:]
  private var isIndexed = false
  var dialects: DialectChoice

  init(_ document: JSONValue, registry: SchemaRegistry, dialect: SchemaDialect) {
    self.registry = registry
    dialects = DialectChoice(registry: registry)
    add(document, address: nil, DialectRules(dialect))
  }

  /// The address by which a place's document was registered; nil for the one being compiled.
  func name(of place: Int) -> String? { documents[places[place].document].name }

  func rules(at place: Int) -> DialectRules { resources[places[place].resource].rules }

  mutating func setNode(_ node: Int, of place: Int) { places[place].node = node }

  mutating func takeFault(of resource: Int) -> SchemaResource.Fault? {
    defer { resources[resource].fault = nil }
    return resources[resource].fault
  }

  /// The resource of an address; nil where there is none.
  mutating func resource(at address: String) -> Int? {
    if let known = byAddress[address] { return known }
    scanDocuments()
    if let known = byAddress[address] { return known }
    if let document = registry.documents[address] ?? Metaschema.document(at: address) {
      load(document, address)
      return byAddress[address]
    }
    // A registered document may carry another address inside; those are read only now.
    for (name, document) in registry.documents.sorted(by: { $0.key < $1.key }) {
      load(document, name)
    }
    scanDocuments()
    return byAddress[address]
  }

  private mutating func load(_ document: JSONValue, _ address: String) {
    guard loaded.insert(address).inserted else { return }
    // One that doesn't say its draft is read as the schema that is being compiled.
    add(document, address: address, DialectRules(rules(at: 0).dialect))
  }

  private mutating func add(_ document: JSONValue, address: String?, _ rules: DialectRules) {
    let root = places.count
    documents.append(Document(root: root, name: address))
    let uri = URIReference(address ?? "")
    resources.append(
      SchemaResource(uri: uri.withoutFragment, root: root, rules: rules, isRecursive: false))
    places.append(
      SchemaPlace(
        path: SchemaPath(), document: documents.count - 1, holder: nil, value: document,
        role: .schema, resource: resources.count - 1))
    settle(root, isRoot: true)
    note(root, as: uri)
  }

  private mutating func note(_ place: Int, as uri: URIReference) {
    let address = uri.withoutFragment.description
    if byAddress[address] == nil { byAddress[address] = places[place].resource }
  }
}

// MARK: - Places

extension SchemaLibrary {
  /// The place of a part of another; `role` says what it is for at least.
  mutating func child(
    _ token: String, of holder: Int, _ value: JSONValue, _ role: SchemaPlace.Role
  ) -> Int {
    if isIndexed, let known = children[PlaceKey(holder: holder, token: token)] {
      if role == .schema { makeSchema(known) }
      return known
    }
    let place = places.count
    let path = SchemaPath(token, in: places[holder].path)
    places.append(
      SchemaPlace(
        path: path, document: places[holder].document, holder: holder, value: value,
        role: role, resource: places[holder].resource))
    if isIndexed { children[PlaceKey(holder: holder, token: token)] = place }
    if role == .schema { settle(place, isRoot: false) }
    return place
  }

  /// What `pointer` leads to from a place; nil where there is nothing.
  mutating func place(at pointer: JSONPointer, from start: Int) -> Int? {
    index()
    var place = start
    for token in pointer.tokens {
      let value = places[place].value.value(at: JSONPointer(tokens: [token]))
      guard let value else { return nil }
      place = child(token, of: place, value, role(of: token, value, in: place))
    }
    return place
  }

  /// A place that no keyword makes a schema becomes one by being referred to.
  mutating func makeSchema(_ place: Int) {
    guard places[place].role != .schema else { return }
    places[place].role = .schema
    settle(place, isRoot: false)
    scan(from: place)
  }

  private func role(of token: String, _ value: JSONValue, in holder: Int) -> SchemaPlace.Role {
    switch places[holder].role {
    case .other: return .other
    // `dependencies` holds lists of keys beside schemas.
    case .schemas: return value.kind == .array ? .other : .schema
    case .schema:
      let rules = rules(at: holder)
      switch rules.holding(of: token) {
      case .nothing: return .other
      case .one: return .schema
      case .list: return value.kind == .array ? .schemas : .other
      case .map: return value.kind == .object ? .schemas : .other
      case .oneOrList: return value.kind == .array && rules.hasItemLists ? .schemas : .schema
      }
    }
  }

  private mutating func index() {
    guard !isIndexed else { return }
    isIndexed = true
    for (number, place) in places.enumerated() {
      guard let holder = place.holder else { continue }
      children[PlaceKey(holder: holder, token: place.path.token)] = number
    }
  }
}

// MARK: - Addresses

extension SchemaLibrary {
  /// Finds out which resource a schema belongs to: it may open one of its own.
  private mutating func settle(_ place: Int, isRoot: Bool) {
    guard case .object(let schema) = places[place].value else { return }
    let outer = resources[places[place].resource]
    let words = SchemaIdentity(schema)
    var rules = outer.rules
    var fault: SchemaResource.Fault?
    if let declared = words.dialect {
      switch dialects.rules(for: declared, schema) {
      case .success(let own): rules = own
      case .failure(let problem): fault = problem.fault
      }
    }
    let name = words.name(by: rules)
    guard isRoot || name != nil else { return }
    let uri = name.map { URIReference($0).resolved(against: outer.uri) } ?? outer.uri
    let resource = SchemaResource(
      uri: uri.withoutFragment, root: place, rules: rules,
      isRecursive: words.isRecursive && rules.dialect == .draft2019, fault: fault)
    if isRoot {
      resources[places[place].resource] = resource
    } else {
      resources.append(resource)
      places[place].resource = resources.count - 1
    }
    note(place, as: uri)
  }

  private mutating func scanDocuments() {
    for number in documents.indices where !documents[number].isScanned {
      documents[number].isScanned = true
      scan(from: documents[number].root)
    }
  }

  /// Notes the addresses of all documents that are loaded; the anchors in them are known then.
  mutating func findAnchors() {
    scanDocuments()
  }

  /// Notes the anchors of a schema and of all schemas inside it.
  private mutating func scan(from start: Int) {
    index()
    var open = [start]
    while let place = open.popLast() {
      guard !places[place].isScanned else { continue }
      places[place].isScanned = true
      switch places[place].value {
      case .object(let members):
        if places[place].role == .schema { noteAnchors(members, at: place) }
        for (key, value) in members {
          let role = role(of: key, value, in: place)
          if role != .other { open.append(child(key, of: place, value, role)) }
        }
      case .array(let elements) where places[place].role == .schemas:
        for (index, value) in elements.enumerated() {
          let role = role(of: "", value, in: place)
          if role != .other { open.append(child(String(index), of: place, value, role)) }
        }
      default: continue
      }
    }
  }

  private mutating func noteAnchors(_ schema: JSONObject, at place: Int) {
    let resource = places[place].resource
    let rules = resources[resource].rules
    if let name = SchemaIdentity(schema).fragment(by: rules) {
      resources[resource].anchors[name] = place
    }
    if rules.keywords.contains(.anchor), let anchor = schema["$anchor"]?.string {
      resources[resource].anchors[anchor] = place
    }
    if rules.keywords.contains(.dynamicAnchor), let anchor = schema["$dynamicAnchor"]?.string {
      resources[resource].anchors[anchor] = place
      resources[resource].dynamicAnchors[anchor] = place
    }
  }
}
