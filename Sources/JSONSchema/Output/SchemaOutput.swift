public import AgentJSON

/// The output formats of the standard (2020-12, core, section 12).
public enum SchemaOutput: String, Hashable, Sendable, CaseIterable {
  /// Only whether the value fits.
  case flag
  /// A flat list: of what fails, or of the annotations of a value that fits.
  case basic
  /// The same as a tree, in which a node stands only where it holds several.
  case detailed
  /// The tree of all that was looked at.
  case verbose
}

extension Schema {
  /// The result for `node` as the standard wants it, for programs that read results of any
  /// validator; for people there is `validate`.
  public func output(_ format: SchemaOutput, for node: JSONNode) -> JSONValue {
    if format == .flag { return ["valid": .bool(isValid(node))] }
    var trace = Trace(program)
    let root = trace.run(node)
    switch format {
    case .flag: return ["valid": .bool(root.isValid)]
    case .basic: return Self.list(root.withCondensedChildren())
    case .detailed: return root.withCondensedChildren().tree
    case .verbose: return root.tree
    }
  }

  /// The result for `value` as the standard wants it.
  public func output(_ format: SchemaOutput, for value: JSONValue) -> JSONValue {
    output(format, for: JSONDocument(value).root)
  }

  private static func list(_ root: OutputUnit) -> JSONValue {
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
