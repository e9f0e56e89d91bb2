import AgentJSON

extension SchemaLibrary {
  /// Returns the place of a part of another place and creates it if necessary. The place gets at
  /// least the role `role`.
  mutating func child(
    _ token: String, of holder: Int, value: JSONValue, role: SchemaPlace.Role
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

  /// Returns the place that `pointer` refers to, from another place, or `nil` if it doesn't exist.
  mutating func place(at pointer: JSONPointer, from start: Int) -> Int? {
    // The compiler may have created places. A reference must find these and not create them again.
    index()
    var place = start
    for token in pointer.tokens {
      let value = places[place].value.value(at: JSONPointer(tokens: [token]))
      guard let value else { return nil }
      place = child(token, of: place, value: value, role: role(of: token, value, in: place))
    }
    return place
  }

  /// Makes a place a schema because a reference refers to it, even if no keyword makes it one.
  mutating func makeSchema(_ place: Int) {
    guard places[place].role != .schema else { return }
    places[place].role = .schema
    settle(place, isRoot: false)
    // Names in it count from now on.
    scan(from: place)
  }

  func role(of token: String, _ value: JSONValue, in holder: Int) -> SchemaPlace.Role {
    switch places[holder].role {
    case .other: return .other
    // `dependencies` contains lists of keys and schemas.
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

/// The key of a part of a place: the place, and the key or index in it, compared by bytes.
struct PlaceKey: Hashable {
  let holder: Int
  let token: String

  static func == (left: PlaceKey, right: PlaceKey) -> Bool {
    left.holder == right.holder && left.token.utf8.elementsEqual(right.token.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(holder)
    token.hashBytes(into: &hasher)
  }
}
