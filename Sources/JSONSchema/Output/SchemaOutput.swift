public import AgentJSON

/// The output formats of the standard (2020-12, core, section 12).
public enum SchemaOutput: String, Hashable, Sendable, CaseIterable {
  /// Only whether the value fits.
  case flag
  /// A flat list of the failures, or of the annotations of a value that fits.
  case basic
  /// The same as a tree, in which a node stands only where it holds several.
  case detailed
  /// The tree of all keywords and schemas that were looked at.
  case verbose
}

extension Schema {
  /// The result for `node` as the standard wants it, for programs that read results of any
  /// validator; for people there is `validate`.
  ///
  /// A report that would take too long has the right result, the certain part of the rest, and a
  /// sentence in `incomplete`.
  public func output(_ format: SchemaOutput, for node: JSONNode) -> JSONValue {
    if format == .flag { return ["valid": .bool(isValid(node))] }
    let (root, remark) = report(on: node)
    var output =
      switch format {
      case .flag, .verbose: root.tree
      case .basic: Self.list(root.withCondensedChildren())
      case .detailed: root.withCondensedChildren().tree
      }
    if let remark { output["incomplete"] = .string(remark) }
    return .object(output)
  }

  /// All that was looked at; where that is not everything, with a remark.
  func report(on node: JSONNode) -> (root: OutputUnit, remark: String?) {
    var trace = Trace(program)
    var root = trace.run(node)
    guard let exhaustion = trace.exhaustion else { return (root, nil) }
    let isValid = isValid(node)
    let certain = root.certain(isValid)
    root.children = certain?.children ?? []
    root.isValid = isValid
    if trace.isSpent { return (root, Self.remark) }
    if !isValid { root.error = exhaustion.message }
    return (root, exhaustion.message)
  }

  private static let remark =
    "The report is incomplete: the schema comes back to the same value too often."

  /// The result for `value` as the standard wants it.
  public func output(_ format: SchemaOutput, for value: JSONValue) -> JSONValue {
    output(format, for: JSONDocument(value).root)
  }

  private static func list(_ root: OutputUnit) -> JSONObject {
    var units = root.flattened
    if root.isValid {
      units.removeAll { $0.annotation == nil }
    } else {
      for index in units.indices where units[index].error == nil {
        units[index].error = "What is inside doesn't fit."
      }
    }
    let list = JSONValue.array(units.map { .object($0.members) })
    return ["valid": .bool(root.isValid), root.isValid ? "annotations" : "errors": list]
  }
}
