import AgentJSON

/// The documents of one compilation and the places in them that matter.
///
/// A place is made when the compiler or a reference comes to it. The addresses in a document are
/// looked for only when a reference can't be followed without them. Most schemas are small and have
/// none, and have to be compiled quickly.
struct SchemaLibrary {
  struct Document {
    let root: Int
    let name: String?
    var isScanned = false
  }

  let registry: SchemaRegistry
  var places: [SchemaPlace] = []
  var resources: [SchemaResource] = []
  var documents: [Document] = []
  private var byAddress: [String: Int] = [:]
  private var loaded: Set<String> = []
  /// The places by what holds them; empty until somebody asks for a place by its name.
  var children: [PlaceKey: Int] = [:]
  var isIndexed = false
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
    findAnchors()
    if let known = byAddress[address] { return known }
    if let document = registry.documents[address] ?? Metaschema.document(at: address) {
      load(document, address)
      return byAddress[address]
    }
    // A registered document may have another address inside. All of them are read only when nothing
    // else has the address.
    for (name, document) in registry.documents.sorted(by: { $0.key < $1.key }) {
      load(document, name)
    }
    findAnchors()
    return byAddress[address]
  }

  private mutating func load(_ document: JSONValue, _ address: String) {
    guard loaded.insert(address).inserted else { return }
    // A document that doesn't say its draft is read by the draft of the schema that is compiled.
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

  /// The addresses of all documents, and of the schemas in them, that are known.
  var addresses: [String] {
    Set(byAddress.keys).union(registry.documents.keys).filter { !$0.isEmpty }.sorted()
  }

  mutating func note(_ place: Int, as uri: URIReference) {
    let address = uri.withoutFragment.description
    // The first one stays: the schema that is compiled comes before documents that are registered.
    if byAddress[address] == nil { byAddress[address] = places[place].resource }
  }
}
