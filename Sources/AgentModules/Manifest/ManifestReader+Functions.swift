import AgentJSON
import AgentText
import JSONSchema

extension ManifestReader {
  /// Reads `functions`.
  mutating func readFunctions() -> [FunctionDeclaration] {
    let actions = members("actions")
    var functions: [FunctionDeclaration] = []
    for (name, value) in members("functions") {
      if actions[name] != nil {
        add(
          "duplicate_action", at: ["functions", name],
          message: "the module has an action of this name already. Choose another name.",
          found: "\"\(name)\"")
      }
      if let function = readFunction(name, value) { functions.append(function) }
    }
    return functions
  }

  private mutating func readFunction(_ name: String, _ value: JSONValue) -> FunctionDeclaration? {
    guard let library = value["library"]?.string, let returns = value["returns"]?.string
    else { return nil }
    let tokens = ["functions", name]
    if library.contains("/"), !FileSystem.staysInside(library) {
      add(
        "path_outside_module", at: tokens + ["library"],
        message: "\"\(library)\" leads out of the module's folder. Name a library of the system"
          + " by its soname, such as \"libm.so.6\", or put the library into the folder.",
        expected: "a soname, or a path inside the module's folder", found: "\"\(library)\"")
    }
    if returns != "string", value["ownership"] != nil {
      add(
        "ownership_without_string", at: tokens + ["ownership"],
        message: "only a returned string has an owner; this function returns \(returns)."
          + " Remove the key.")
    }
    return FunctionDeclaration(
      name: name, title: value["title"]?.string ?? name,
      description: value["description"]?.string ?? "", example: value["example"],
      library: library, symbol: value["symbol"]?.string ?? name,
      parameters: readParameters(value, at: tokens + ["parameters"]), returns: returns,
      ownership: Self.ownership(value["ownership"]), declaration: value)
  }

  private static func ownership(_ value: JSONValue?) -> FunctionDeclaration.Ownership {
    if let symbol = value?["call"]?.string { return .call(symbol) }
    return value?.string == "free" ? .free : .static
  }

  private mutating func readParameters(
    _ function: JSONValue, at tokens: [String]
  ) -> [FunctionDeclaration.Parameter] {
    let values = function["parameters"]?.array ?? []
    var parameters: [FunctionDeclaration.Parameter] = []
    for (index, value) in values.enumerated() {
      guard let name = value["name"]?.string, let type = value["type"]?.string else { continue }
      if parameters.contains(where: { $0.name == name }) {
        add(
          "duplicate_parameter", at: tokens + [String(index), "name"],
          message: "two parameters are called \"\(name)\". Name each once.", found: "\"\(name)\"")
      }
      parameters.append(
        .init(
          name: name, type: type, size: value["size"]?.string,
          description: value["description"]?.string ?? ""))
      checkSize(of: value, among: values, at: tokens + [String(index)])
    }
    return parameters
  }

  /// Checks that another parameter contains the size of a buffer.
  private mutating func checkSize(
    of parameter: JSONValue, among all: [JSONValue], at tokens: [String]
  ) {
    guard parameter["type"]?.string == "bytes_out" else { return }
    guard let size = parameter["size"]?.string else {
      return add(
        "missing_key", at: tokens,
        message: "missing key \"size\": the parameter that holds the buffer's size.",
        expected: "the name of an integer parameter", found: "nothing")
    }
    let named = all.first { $0["name"]?.string == size }
    if let type = named?["type"]?.string, FunctionDeclaration.isInteger(type) { return }
    let names = all.compactMap { $0["name"]?.string }
    let nearest = NameSuggestion.question(NameSuggestion.of(size, among: names))
    add(
      "unknown_parameter", at: tokens + ["size"],
      message: named == nil
        ? "no parameter is called \"\(size)\".\(nearest)"
        : "\"\(size)\" isn't an integer, so it can't hold a size.",
      expected: "the name of an integer parameter", found: "\"\(size)\"")
  }
}

extension FunctionDeclaration {
  /// The function as an action without settings.
  var contribution: Contribution? {
    guard let nothing = Self.nothing else { return nil }
    return Contribution(
      kind: .action, name: name, title: title, description: description, example: example,
      settings: [:], settingsSchema: nothing, input: input, output: nil)
  }

  private static let nothing = SharedSchemas.compile(["additionalProperties": false])
}
