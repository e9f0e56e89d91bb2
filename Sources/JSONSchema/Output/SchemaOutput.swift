public import AgentJSON

/// The output formats of the standard (2020-12, core, section 12).
public enum SchemaOutput: String, Hashable, Sendable, CaseIterable {
  /// Only whether the value matches.
  case flag
  /// A flat list of the failures, or of the annotations of a matching value.
  case basic
  /// The same as a tree, without nodes that contain only one other.
  case detailed
  /// The tree of all evaluated keywords and schemas.
  case verbose
}

extension Schema {
  /// Returns the result for `node` in a format of the standard, for programs that read the results
  /// of any validator. For people there is `validate`.
  ///
  /// A report that would take too long contains the correct result, the certain part of the rest,
  /// and a sentence in `incomplete`.
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

  /// Returns everything that was evaluated, with a remark if the check was ended early.
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

  /// Returns the result for `value` in a format of the standard.
  public func output(_ format: SchemaOutput, for value: JSONValue) -> JSONValue {
    output(format, for: JSONDocument(value).root)
  }

  private static func list(_ root: OutputUnit) -> JSONObject {
    var units = root.flattened
    if root.isValid {
      units.removeAll { $0.annotation == nil }
    } else {
      for index in units.indices where units[index].error == nil {
        units[index].error = "A part of the value doesn't match."
      }
    }
    let list = JSONValue.array(units.map { .object($0.members) })
    return ["valid": .bool(root.isValid), root.isValid ? "annotations" : "errors": list]
  }
}
