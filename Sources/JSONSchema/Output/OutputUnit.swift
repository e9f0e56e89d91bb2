import AgentJSON

/// What one keyword, or one schema, had to say of one value: a node of the standard's output.
struct OutputUnit {
  /// The way through the schema to here, through references too.
  let path: [String]
  /// The address of the schema or keyword, where it has one.
  let address: String?
  let instance: [String]
  var isValid = true
  var error: String?
  var annotation: JSONValue?
  var children: [OutputUnit] = []
  /// Whether it fits for other reasons than that all in it fit.
  var isChoice = false
  /// Whether everything in it was gone through.
  var isComplete = true

  /// The unit with only what a reader needs: of a failure what failed, of a success what was
  /// annotated; a unit that only passes one other on gives way to it. Nil where nothing is left.
  func condensed() -> OutputUnit? {
    var unit = withCondensedChildren()
    if isValid { unit.error = nil } else { unit.annotation = nil }
    guard unit.error == nil, unit.annotation == nil else { return unit }
    if unit.children.count == 1 { return unit.children.first }
    return unit.children.isEmpty && isValid ? nil : unit
  }

  /// The same for the root, which always stays: it carries the result.
  func withCondensedChildren() -> OutputUnit {
    var unit = self
    unit.children = children.filter { $0.isValid == isValid }.compactMap { $0.condensed() }
    return unit
  }

  /// What is certain of a report that was given up, where the value as a whole fits or doesn't: the
  /// units that were complete by then, in those that hold exactly if all in them do.
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

  /// This unit and all in it, from the top down.
  var flattened: [OutputUnit] {
    [self] + children.flatMap(\.flattened)
  }

  /// The unit's own members, as section 12.3 of the core specification names them.
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

  /// The unit with those in it.
  var tree: JSONObject {
    var object = members
    if !children.isEmpty {
      object[isValid ? "annotations" : "errors"] = .array(children.map { .object($0.tree) })
    }
    return object
  }
}
