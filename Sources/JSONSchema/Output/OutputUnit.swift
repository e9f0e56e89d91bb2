import AgentJSON

/// The result of one keyword or one schema for one value: a node of the standard's output.
struct OutputUnit {
  /// The path through the schema to here, including references.
  let path: [String]
  /// The address of the schema or keyword, if it has one.
  let address: String?
  let instance: [String]
  var isValid = true
  var error: String?
  var annotation: JSONValue?
  var children: [OutputUnit] = []
  /// Whether it may match even if some of its children don't.
  var isChoice = false
  /// Whether all its children were evaluated.
  var isComplete = true

  /// Returns the unit with only the parts that a reader needs: the failed parts of a failure, or
  /// the annotated parts of a success. A unit with one child is replaced by the child. Returns
  /// `nil` if nothing remains.
  func condensed() -> OutputUnit? {
    var unit = withCondensedChildren()
    if isValid { unit.error = nil } else { unit.annotation = nil }
    guard unit.error == nil, unit.annotation == nil else { return unit }
    if unit.children.count == 1 { return unit.children.first }
    return unit.children.isEmpty && isValid ? nil : unit
  }

  /// Does the same for the root, which always remains because it contains the result.
  func withCondensedChildren() -> OutputUnit {
    var unit = self
    unit.children = children.filter { $0.isValid == isValid }.compactMap { $0.condensed() }
    return unit
  }

  /// Returns the certain part of a report that was ended early, if the result for the whole value
  /// is known. It consists of the units that were complete, in units whose result is that all
  /// children match.
  func certain(_ verdict: Bool) -> OutputUnit? {
    guard !isComplete else { return self }
    guard !isChoice else { return nil }
    var unit = self
    unit.children = children.compactMap { $0.certain(verdict) }
    unit.isValid = unit.children.allSatisfy(\.isValid)
    unit.error = nil
    unit.annotation = nil
    return unit.children.isEmpty || unit.isValid != verdict ? nil : unit
  }

  /// This unit and all its descendants, from the top down.
  var flattened: [OutputUnit] {
    [self] + children.flatMap(\.flattened)
  }

  /// The unit's own members, named by section 12.3 of the core specification.
  var members: JSONObject {
    var object = JSONObject()
    object["valid"] = .bool(isValid)
    object["keywordLocation"] = .string(JSONPointer(tokens: path).description)
    if let address { object["absoluteKeywordLocation"] = .string(address) }
    object["instanceLocation"] = .string(JSONPointer(tokens: instance).description)
    if let error { object["error"] = .string(error) }
    if let annotation { object["annotation"] = annotation }
    return object
  }

  /// The unit with its children.
  var tree: JSONObject {
    var object = members
    if !children.isEmpty {
      object[isValid ? "annotations" : "errors"] = .array(children.map { .object($0.tree) })
    }
    return object
  }
}
