import AgentJSON

/// The result of one keyword, or one schema, for one value: a node of the standard's output.
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

  /// The unit with only the parts that a reader needs: the failed parts of a failure, the annotated
  /// parts of a success. A unit with a single other one in it gives way to that. Nil where nothing
  /// is left.
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

  /// The certain part of a report that was given up, where it is known whether the value as a whole
  /// fits: the units that were complete by then, inside units that hold exactly if all in them do.
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
