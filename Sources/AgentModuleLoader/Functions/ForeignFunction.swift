import AgentJSON

/// A C function that a manifest declares.
struct ForeignFunction {
  struct Parameter {
    let name: String
    let type: ValueType
    /// The parameter that holds the size of a `bytes_out` buffer.
    let size: String?
  }

  /// The side that frees a returned string.
  enum Ownership: Equatable {
    case nobody
    case free
    case call(String)
  }

  let name: String
  let library: String
  let symbol: String
  let parameters: [Parameter]
  let returns: ValueType
  let ownership: Ownership

  /// Reads a declaration.
  /// - Throws: `ModuleLoadError` with `function` if it is invalid.
  init(name: String, _ node: JSONNode) throws(ModuleLoadError) {
    guard let library = node["library"]?.string, !library.isEmpty else {
      throw Self.refused(name, "names no library")
    }
    for key in ["variadic", "struct"] where node[key] != nil {
      throw Self.refused(name, "is declared with \"\(key)\"; such functions can't be called")
    }
    self.name = name
    self.library = library
    symbol = node["symbol"]?.string ?? name
    returns = try Self.type(node["returns"], of: name, "returns")
    ownership = try Self.ownership(node["ownership"], name)
    parameters = try Self.parameters(node["parameters"], name)
    guard returns != .bytes, returns != .bytesOut else {
      throw Self.refused(name, "returns \(returns.rawValue); bytes come back through bytes_out")
    }
  }

  static func refused(_ name: String, _ why: String) -> ModuleLoadError {
    ModuleLoadError(.function, "The function \"\(name)\" \(why). Correct its entry in module.json.")
  }

  private static func type(
    _ node: JSONNode?, of name: String, _ place: String
  ) throws(ModuleLoadError) -> ValueType {
    guard let text = node?.string, let type = ValueType(rawValue: text) else {
      throw refused(name, "has a type at \"\(place)\" that can't be passed")
    }
    return type
  }

  private static func ownership(
    _ node: JSONNode?, _ name: String
  ) throws(ModuleLoadError) -> Ownership {
    guard let node else { return .nobody }
    if let call = node["call"]?.string { return .call(call) }
    switch node.string {
    case "static": return .nobody
    case "free": return .free
    default: throw refused(name, "has an \"ownership\" that isn't static, free or a call")
    }
  }

  private static func parameters(
    _ node: JSONNode?, _ name: String
  ) throws(ModuleLoadError) -> [Parameter] {
    guard let node else { return [] }
    guard node.kind == .array, node.count <= 64 else {
      throw refused(name, "has \"parameters\" that aren't an array of at most 64")
    }
    var parameters: [Parameter] = []
    for entry in node.elements {
      guard let parameter = entry["name"]?.string else {
        throw refused(name, "has a parameter without a name")
      }
      let type = try type(entry["type"], of: name, parameter)
      guard type != .void else { throw refused(name, "has a parameter of type void") }
      parameters.append(Parameter(name: parameter, type: type, size: entry["size"]?.string))
    }
    for buffer in parameters where buffer.type == .bytesOut {
      guard parameters.contains(where: { $0.name == buffer.size && $0.type.isInteger }) else {
        throw refused(name, "doesn't say which integer holds the size of \"\(buffer.name)\"")
      }
    }
    return parameters
  }
}
