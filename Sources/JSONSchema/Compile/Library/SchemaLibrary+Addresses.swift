import AgentJSON

extension SchemaLibrary {
  /// Determines the resource of a schema. A schema with an address starts a new one.
  mutating func settle(_ place: Int, isRoot: Bool) {
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
    // A `$schema` without an address starts no resource and has no effect.
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

  /// Records the addresses and anchors of all loaded documents, once for each document.
  mutating func findAnchors() {
    for number in documents.indices where !documents[number].isScanned {
      documents[number].isScanned = true
      scan(from: documents[number].root)
    }
  }

  /// Records the anchors of a schema and of all schemas inside it.
  mutating func scan(from start: Int) {
    index()
    // A list in place of recursion, so that no document is too deep.
    var open = [start]
    while let place = open.popLast() {
      guard !places[place].isScanned else { continue }
      places[place].isScanned = true
      switch places[place].value {
      case .object(let members):
        if places[place].role == .schema { noteAnchors(members, at: place) }
        for (key, value) in members {
          let role = role(of: key, value, in: place)
          if role != .other { open.append(child(key, of: place, value: value, role: role)) }
        }
      case .array(let elements) where places[place].role == .schemas:
        for (index, value) in elements.enumerated() {
          let role = role(of: "", value, in: place)
          if role != .other {
            open.append(child(String(index), of: place, value: value, role: role))
          }
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
      // A plain reference may refer to a dynamic anchor too.
      resources[resource].anchors[anchor] = place
      resources[resource].dynamicAnchors[anchor] = place
    }
  }
}
