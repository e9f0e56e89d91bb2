import AgentJSON

extension SchemaLibrary {
  /// The place of a part of another; `role` says what it is for at least.
  mutating func child(
    _ token: String, of holder: Int, _ value: JSONValue, _ role: SchemaPlace.Role
  ) -> Int {
    if isIndexed, let known = children[PlaceKey(holder: holder, token: token)] {
      switch role {
      case .schema: makeSchema(known)
      case .schemas: places[known].role = .schemas
      case .other: break
      }
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

  func role(of token: String, _ value: JSONValue, in holder: Int) -> SchemaPlace.Role {
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

  mutating func index() {
    guard !isIndexed else { return }
    isIndexed = true
    for (number, place) in places.enumerated() {
      guard let holder = place.holder else { continue }
      children[PlaceKey(holder: holder, token: place.path.token)] = number
    }
  }
}
