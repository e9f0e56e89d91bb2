import AgentJSON

/// The documents of one compilation and their relevant places.
///
/// A place is created when the compiler or a reference reaches it. The addresses in a document are
/// only searched for when a reference needs them. Most schemas are small, have no addresses, and
/// must compile quickly.
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
  /// The places by their holders. Empty until a place is looked up by its name.
  var children: [PlaceKey: Int] = [:]
  var isIndexed = false
  var dialects: DialectChoice

  init(_ document: JSONValue, registry: SchemaRegistry, dialect: SchemaDialect) {
    self.registry = registry
    dialects = DialectChoice(registry: registry)
    add(document, address: nil, DialectRules(dialect))
  }

  /// Returns the address under which a place's document was registered, or `nil` for the compiled
  /// document.
  func name(of place: Int) -> String? { documents[places[place].document].name }

  func rules(at place: Int) -> DialectRules { resources[places[place].resource].rules }

  mutating func setNode(_ node: Int, of place: Int) { places[place].node = node }

  mutating func takeFault(of resource: Int) -> SchemaResource.Fault? {
    defer { resources[resource].fault = nil }
    return resources[resource].fault
  }

  /// Returns the resource with an address, or `nil` if there is none.
  mutating func resource(at address: String) -> Int? {
    if let known = byAddress[address] { return known }
    findAnchors()
    if let known = byAddress[address] { return known }
    if let document = registry.documents[address] ?? Metaschema.document(at: address) {
      load(document, address)
      return byAddress[address]
    }
    // A registered document may contain another address. The documents are only searched if nothing
    // else has the address.
    for (name, document) in registry.documents.sorted(by: { $0.key < $1.key }) {
      load(document, name)
    }
    findAnchors()
    return byAddress[address]
  }

  private mutating func load(_ document: JSONValue, _ address: String) {
    guard loaded.insert(address).inserted else { return }
    // A document without `$schema` has the draft of the compiled schema.
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

  /// The known addresses of all documents and of the schemas in them.
  var addresses: [String] {
    Set(byAddress.keys).union(registry.documents.keys).filter { !$0.isEmpty }.sorted()
  }

  mutating func note(_ place: Int, as uri: URIReference) {
    let address = uri.withoutFragment.description
    // The first one counts, so the compiled schema wins over registered documents.
    if byAddress[address] == nil { byAddress[address] = places[place].resource }
  }
}
