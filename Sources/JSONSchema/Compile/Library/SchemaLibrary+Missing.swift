import AgentJSON
import AgentText

/// The reason why a reference has no target.
struct MissingReference {
  let message: String
  /// The address of the document, if it isn't registered.
  var document: String?
}

extension SchemaLibrary {
  /// Returns the reason why `resolve` found no target for a reference.
  mutating func missing(_ reference: String, from place: Int) -> MissingReference {
    let base = places[place].resource
    let target = URIReference(reference).resolved(against: resources[base].uri)
    let isLocal = reference.utf8.first == UInt8(ascii: "#")
    guard let found = isLocal ? base : resource(at: target.withoutFragment.description) else {
      return missingDocument(reference, target.withoutFragment.description)
    }
    let fragment = URIReference(reference).fragment ?? ""
    let reason = MissingPlace(
      root: places[resources[found].root].value, anchors: Array(resources[found].anchors.keys),
      // The start of a reference to the same document, for suggestions.
      start: isLocal ? "#" : "\(URIReference(reference).withoutFragment)#",
      name: isLocal ? nil : target.withoutFragment.description
    ).reason(fragment)
    return MissingReference(message: "\(FoundText.quoted(reference)) leads nowhere: \(reason)")
  }

  private func missingDocument(_ reference: String, _ address: String) -> MissingReference {
    let quoted = FoundText.quoted(reference)
    let what =
      address == reference
      ? "\(quoted) is a document"
      : "\(quoted) leads to \(FoundText.quoted(address)), a document"
    // Addresses often have the same beginning, so only a small difference is a sign of a typing
    // error.
    let near = addresses.first { NameSuggestion.isSlip(address, of: $0) }
    let advice = near.map { "Register it, or did you mean \(FoundText.quoted($0))?" }
    return MissingReference(
      message: "\(what) that isn't known here. \(advice ?? "Register it.")", document: address)
  }
}

/// The part of a document that a fragment refers to.
private struct MissingPlace {
  let root: JSONValue
  let anchors: [String]
  let start: String
  /// The document's address. `nil` for the document with the reference.
  let name: String?

  private var document: String { name.map(FoundText.quoted) ?? "the schema" }

  func reason(_ fragment: String) -> String {
    guard let text = PercentEncoding.strict(fragment) else {
      return "after % there have to be two hexadecimal digits."
    }
    guard text.hasPrefix("/") else {
      let lead = "no place in \(document) is named \(FoundText.quoted(text))."
      return lead + advice(nearest(toAnchor: text))
    }
    guard let pointer = try? JSONPointer(text) else {
      return "\(FoundText.quoted(text)) is no JSON Pointer; after ~ there has to be 0 or 1."
    }
    return reason(pointer)
  }

  private func reason(_ pointer: JSONPointer) -> String {
    var value = root
    var passed: [String] = []
    for token in pointer.tokens {
      guard let next = value.value(at: JSONPointer(tokens: [token])) else {
        let holder = passed.isEmpty ? document : quoted(passed)
        let near = nearest(to: token, in: value, passed, pointer)
        return "\(holder) \(Self.lack(of: token, in: value)).\(advice(near))"
      }
      value = next
      passed.append(token)
    }
    return "\(quoted(passed)) is no schema."
  }

  private static func lack(of token: String, in value: JSONValue) -> String {
    switch value {
    case .object: "has no \(FoundText.quoted(token))"
    case .array(let elements):
      "has \(elements.count) element\(elements.count == 1 ? "" : "s") and no \(token)"
    default: "is \(TypeSet(of: value).phrases.first ?? "a value"), with nothing inside"
    }
  }

  /// Returns a place with a similar name: a neighbor, or one of the definitions.
  private func nearest(
    to token: String, in value: JSONValue, _ passed: [String], _ pointer: JSONPointer
  ) -> String? {
    let rest = pointer.tokens.dropFirst(passed.count + 1)
    let siblings = value.object.map { Array($0.keys) } ?? []
    if let name = NameSuggestion.of(token, among: siblings) {
      let tokens = passed + [name] + rest
      if root.value(at: JSONPointer(tokens: tokens)) != nil { return way(tokens) }
    }
    return pointer.tokens.last.flatMap(definition)
  }

  private func nearest(toAnchor name: String) -> String? {
    if let pointer = try? JSONPointer("/" + name), root.value(at: pointer) != nil {
      return way(pointer.tokens)
    }
    return NameSuggestion.of(name, among: anchors.sorted()).map { start + $0 } ?? definition(name)
  }

  private func definition(_ name: String) -> String? {
    // Both keywords, because `definitions` also works in the newer drafts.
    for keyword in ["$defs", "definitions"] {
      let names = root[keyword]?.object.map { Array($0.keys) } ?? []
      let near = names.contains(name) ? name : NameSuggestion.of(name, among: names)
      if let near { return way([keyword, near]) }
    }
    return nil
  }

  private func way(_ tokens: [String]) -> String {
    start + URIReference.percentEncoded(fragment: JSONPointer(tokens: tokens).description)
  }

  private func quoted(_ tokens: [String]) -> String { FoundText.quoted(way(tokens)) }

  private func advice(_ place: String?) -> String {
    place.map { " Did you mean \(FoundText.quoted($0))?" } ?? ""
  }
}
