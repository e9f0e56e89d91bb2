import AgentJSON

/// A place in one of the documents that are being compiled together.
struct SchemaLocation: Hashable, Sendable {
  let document: Int
  let tokens: [String]

  func appending(_ token: String) -> SchemaLocation {
    SchemaLocation(document: document, tokens: tokens + [token])
  }
}

/// A schema with an address of its own, and the anchors in it.
struct SchemaResource: Sendable {
  let uri: URIReference
  let location: SchemaLocation
  var anchors: [String: SchemaLocation] = [:]
  var dynamicAnchors: [String: SchemaLocation] = [:]
}

/// The documents of one compilation and the addresses in them.
struct SchemaLibrary {
  private let registry: SchemaRegistry
  private var documents: [JSONValue] = []
  private var names: [String?] = []
  private(set) var resources: [SchemaResource] = []
  private var byAddress: [String: Int] = [:]
  private var byLocation: [SchemaLocation: Int] = [:]
  private var scanned: Set<SchemaLocation> = []
  private var loaded: Set<String> = []

  init(_ document: JSONValue, registry: SchemaRegistry) {
    self.registry = registry
    add(document, address: "", name: nil)
  }

  func name(of document: Int) -> String? { names[document] }

  /// The value at a place; nil where there is none.
  func value(at location: SchemaLocation) -> JSONValue? {
    documents[location.document].value(at: JSONPointer(tokens: location.tokens))
  }

  /// The resource that a place belongs to: the nearest one around it.
  func resource(of location: SchemaLocation) -> Int {
    var tokens = location.tokens[...]
    while true {
      let place = SchemaLocation(document: location.document, tokens: Array(tokens))
      if let resource = byLocation[place] { return resource }
      guard tokens.popLast() != nil else { return 0 }
    }
  }

  /// Where a reference made in `resource` leads; nil where it leads nowhere.
  mutating func resolve(_ reference: String, in resource: Int) -> SchemaLocation? {
    let target = URIReference(reference).resolved(against: resources[resource].uri)
    guard let found = self.resource(at: target.withoutFragment.description) else { return nil }
    let home = resources[found]
    guard let fragment = URIReference.percentDecoded(target.fragment ?? "") else { return nil }
    if fragment.isEmpty { return home.location }
    guard fragment.hasPrefix("/") else { return home.anchors[fragment] }
    guard let pointer = try? JSONPointer(fragment) else { return nil }
    let location = SchemaLocation(
      document: home.location.document, tokens: home.location.tokens + pointer.tokens)
    guard value(at: location) != nil else { return nil }
    // A place that no keyword makes a schema becomes one by being referred to.
    scan(location, in: self.resource(of: location))
    return location
  }

  /// The anchor of a place's `$dynamicAnchor`, where the reference names it by that.
  func dynamicAnchor(of reference: String, at location: SchemaLocation) -> String? {
    guard let fragment = URIReference(reference).fragment,
      resources[resource(of: location)].dynamicAnchors[fragment] == location
    else { return nil }
    return fragment
  }

  private mutating func resource(at address: String) -> Int? {
    if let known = byAddress[address] { return known }
    if let document = registry.documents[address], loaded.insert(address).inserted {
      add(document, address: address, name: address)
      return byAddress[address]
    }
    // A registered document may carry another address inside; those are read only now.
    for (name, document) in registry.documents.sorted(by: { $0.key < $1.key })
    where loaded.insert(name).inserted {
      add(document, address: name, name: name)
    }
    return byAddress[address]
  }

  private mutating func add(_ document: JSONValue, address: String, name: String?) {
    documents.append(document)
    names.append(name)
    let root = SchemaLocation(document: documents.count - 1, tokens: [])
    byAddress[address] = open(URIReference(address), at: root)
    scan(root, in: resources.count - 1)
  }

  private mutating func open(_ uri: URIReference, at location: SchemaLocation) -> Int {
    resources.append(SchemaResource(uri: uri.withoutFragment, location: location))
    byAddress[uri.withoutFragment.description] = resources.count - 1
    byLocation[location] = resources.count - 1
    return resources.count - 1
  }
}

// MARK: - Finding addresses

extension SchemaLibrary {
  /// Notes the addresses and anchors of a schema and all schemas inside it.
  private mutating func scan(_ start: SchemaLocation, in resource: Int) {
    var open = [(start, resource)]
    while let (location, outer) = open.popLast() {
      guard case .object(let schema)? = value(at: location), scanned.insert(location).inserted
      else { continue }
      let resource = note(schema, at: location, in: outer)
      for place in Self.places(in: schema, at: location) { open.append((place, resource)) }
    }
  }

  private mutating func note(
    _ schema: JSONObject, at location: SchemaLocation, in outer: Int
  ) -> Int {
    var resource = outer
    if let id = schema["$id"]?.string {
      let uri = URIReference(id).resolved(against: resources[outer].uri)
      resource = self.open(uri, at: location)
    }
    if let anchor = schema["$anchor"]?.string { resources[resource].anchors[anchor] = location }
    if let anchor = schema["$dynamicAnchor"]?.string {
      resources[resource].anchors[anchor] = location
      resources[resource].dynamicAnchors[anchor] = location
    }
    return resource
  }

  private static func places(
    in schema: JSONObject, at location: SchemaLocation
  ) -> [SchemaLocation] {
    var places: [SchemaLocation] = []
    for (key, value) in schema {
      let place = location.appending(key)
      if single.contains(key) { places.append(place) }
      if listed.contains(key), let array = value.array {
        places += array.indices.map { place.appending(String($0)) }
      }
      if mapped.contains(key), let object = value.object {
        places += object.keys.map { place.appending($0) }
      }
    }
    return places
  }

  private static let single: Set = [
    "additionalProperties", "propertyNames", "items", "contains", "unevaluatedItems",
    "unevaluatedProperties", "not", "if", "then", "else", "contentSchema",
  ]
  private static let listed: Set = ["prefixItems", "allOf", "anyOf", "oneOf"]
  private static let mapped: Set = [
    "$defs", "definitions", "properties", "patternProperties", "dependentSchemas",
  ]
}
