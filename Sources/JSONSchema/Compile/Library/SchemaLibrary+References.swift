import AgentJSON
import AgentText

extension SchemaLibrary {
  /// Returns the target of a reference from a place, or `nil` if there is none.
  mutating func resolve(_ reference: String, from place: Int) -> Int? {
    let base = places[place].resource
    // The most common kind of reference. It needs no address, so none is searched for.
    if reference.utf8.first == UInt8(ascii: "#") {
      return target(of: String(reference.utf8.dropFirst()) ?? "", in: base)
    }
    let target = URIReference(reference).resolved(against: resources[base].uri)
    guard let found = resource(at: target.withoutFragment.description) else { return nil }
    return self.target(of: target.fragment ?? "", in: found)
  }

  private mutating func target(of fragment: String, in resource: Int) -> Int? {
    guard let fragment = PercentEncoding.strict(fragment) else { return nil }
    if fragment.isEmpty { return resources[resource].root }
    guard fragment.hasPrefix("/") else {
      // Only now, because most schemas have no anchors and need no search.
      findAnchors()
      return resources[resource].anchors[fragment]
    }
    guard let pointer = try? JSONPointer(fragment),
      let place = place(at: pointer, from: resources[resource].root)
    else { return nil }
    makeSchema(place)
    return place
  }

  /// Returns the name of a place's `$dynamicAnchor`, if the reference uses that name.
  func dynamicAnchor(of reference: String, at place: Int) -> String? {
    guard let fragment = URIReference(reference).fragment,
      resources[places[place].resource].dynamicAnchors[fragment] == place
    else { return nil }
    return fragment
  }

  /// Returns whether a place is the root of a resource with `$recursiveAnchor: true`.
  func isRecursive(_ place: Int) -> Bool {
    let resource = resources[places[place].resource]
    return resource.isRecursive && resource.root == place
  }

  /// Returns the places of a resource that dynamic references with these names can refer to.
  func dynamicPlaces(in resource: Int, named names: Set<String>) -> [(name: String, place: Int)] {
    let resource = resources[resource]
    var found = resource.dynamicAnchors.filter { names.contains($0.key) }
      .sorted { $0.key < $1.key }.map { (name: $0.key, place: $0.value) }
    if resource.isRecursive, names.contains("") { found.append(("", resource.root)) }
    return found
  }
}
