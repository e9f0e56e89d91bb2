import AgentJSON
import AgentText

/// A definition before a query: `def name(a, &b): body;`
struct QueryMacro {
  let name: String
  let parameters: [String]
  /// The start of the body.
  let start: Int
  /// The place of the semicolon after the body.
  let end: Int
}

/// Parses and expands definitions. The body is parsed again at each use with the arguments in place
/// of the parameters. Errors and ranges therefore refer to the written text.
extension QueryReader {
  mutating func definitions() throws(QueryError) {
    skip()
    while isAt(keyword: "def") {
      let start = index
      index += 3
      // `def:x` and `def => …` are filters.
      guard !isAtEnd, blankLength(at: index) != nil else {
        index = start
        return
      }
      skip()
      guard isAtName || isAt("@") else {
        index = start
        return
      }
      try definition()
      skip()
    }
  }

  private mutating func definition() throws(QueryError) {
    let start = index
    let sign = take("@@") ? "@@" : take("@") ? "@" : ""
    guard let word = name() else {
      throw fail(.syntax, "a name is missing after \"def\"; \(found).")
    }
    let name = sign + word
    let nameRange = range(from: start)
    guard macros[name] == nil else {
      throw fail(.syntax, "\(name) is defined twice.", at: nameRange)
    }
    guard AggregationName(rawValue: name) == nil, !FunctionNames.all.contains(name),
      !Self.pipeNames.contains(where: { "@" + $0 == name })
    else {
      throw fail(.syntax, "\(name) has a meaning already; choose another name.", at: nameRange)
    }
    let parameters = try self.parameters()
    skip()
    guard take(":") else {
      throw fail(.syntax, "a definition is written def name(a, b): body; \(found).")
    }
    let body = index
    let end = try endOfBody(of: name)
    macros[name] = QueryMacro(name: name, parameters: parameters, start: body, end: end)
    index = end + 1
  }

  private mutating func parameters() throws(QueryError) -> [String] {
    skip()
    guard take("(") else { return [] }
    var parameters: [String] = []
    skip()
    while !take(")") {
      // `&a` requests the expression in place of its value. Without loops both are the same.
      _ = take("&")
      let start = index
      guard let parameter = name() else {
        throw fail(.syntax, "a parameter's name is missing; \(found).")
      }
      guard !parameters.contains(parameter) else {
        throw fail(.syntax, "two parameters are called \(parameter).", at: range(from: start))
      }
      parameters.append(parameter)
      skip()
      if take(",") { skip() }
    }
    return parameters
  }

  /// Returns the first semicolon outside quotes, comments and braces.
  private mutating func endOfBody(of name: String) throws(QueryError) -> Int {
    let start = index
    skip()
    while !isAtEnd {
      if isAtQuote {
        _ = try quoted()
      } else if byte() == UInt8(ascii: "{") {
        _ = try braced()
      } else if byte() == UInt8(ascii: ";") {
        return index
      } else {
        index += 1
      }
      skip()
    }
    throw fail(
      .syntax, "the definition of \(name) ends with a semicolon.",
      at: QueryRange(start: start, end: text.bytes.count))
  }

  // MARK: Expansion

  mutating func expand(
    _ macro: QueryMacro, _ arguments: [ExpressionTree], at range: QueryRange
  ) throws(QueryError) -> ExpressionTree {
    let tree = try within(macro, arguments: arguments, at: range) { reader throws(QueryError) in
      try reader.expression("the body of \(macro.name)")
    }
    // The node has the place of the macro's use. The nodes below it have places in the definition.
    return ExpressionTree(tree.kind, at: range)
  }

  mutating func expandPipe(
    _ macro: QueryMacro, at range: QueryRange
  ) throws(QueryError) -> [PipeTree] {
    skip()
    var arguments: [ExpressionTree] = []
    if byte() == UInt8(ascii: "("), macro.parameters.isEmpty {
      index += 1
      skip()
      guard take(")") else { throw fail(.type, "@\(macro.name) takes no arguments.") }
    }
    while arguments.count < macro.parameters.count {
      if !arguments.isEmpty {
        skip()
        guard take(",") else { break }
      }
      arguments.append(try expression("an argument"))
    }
    return try within(macro, arguments: arguments, at: range) { reader throws(QueryError) in
      try reader.chain()
    }
  }

  /// `@@name`
  mutating func constant() throws(QueryError) -> ExpressionTree {
    let start = index
    index += 2
    guard let name = name() else {
      throw fail(.syntax, "a name is missing after @@; \(found).")
    }
    let range = range(from: start)
    guard let macro = macros["@@" + name] else {
      let names = macros.keys.filter { $0.hasPrefix("@@") }.sorted()
      let near = NameSuggestion.of("@@" + name, among: names)
      throw fail(
        .unknownName, "@@\(name) isn't defined." + NameSuggestion.question(near, quote: ""),
        at: range)
    }
    return try expand(macro, [], at: range)
  }

  private mutating func within<Tree>(
    _ macro: QueryMacro, arguments: [ExpressionTree], at range: QueryRange,
    body: (inout QueryReader) throws(QueryError) -> Tree
  ) throws(QueryError) -> Tree {
    guard arguments.count == macro.parameters.count else {
      throw fail(
        .type, "\(macro.name) takes \(macro.parameters.count) arguments, not \(arguments.count).",
        at: range)
    }
    try enter()
    let (outerIndex, outerBindings) = (index, bindings)
    index = macro.start
    bindings = Dictionary(uniqueKeysWithValues: zip(macro.parameters, arguments))
    let tree = try body(&self)
    skip()
    guard index == macro.end else {
      throw fail(.syntax, "the body of \(macro.name) should end here; \(found).")
    }
    (index, bindings) = (outerIndex, outerBindings)
    leave()
    return tree
  }

  /// Parses a text. In a macro's body `${parameter}` stands for the value of the argument.
  mutating func interpolated(
    _ value: String, at range: QueryRange
  ) throws(QueryError) -> ExpressionTree {
    guard !bindings.isEmpty, value.contains("$") else {
      return try node(.literal(.string(value)), at: range)
    }
    var parts: [ExpressionTree] = []
    var rest = value[...]
    while let opening = rest.firstIndex(of: "$") {
      let behind = rest.index(after: opening)
      guard behind < rest.endIndex, rest[behind] == "{",
        let closing = rest[behind...].firstIndex(of: "}")
      else { break }
      let name = String(rest[rest.index(after: behind)..<closing])
      guard let argument = bindings[name] else {
        throw fail(.unknownName, "${\(name)} is no parameter of this definition.", at: range)
      }
      parts.append(try node(.literal(.string(String(rest[..<opening]))), at: range))
      parts.append(argument)
      rest = rest[rest.index(after: closing)...]
    }
    parts.append(try node(.literal(.string(String(rest))), at: range))
    return parts.count == 1 ? parts[0] : try node(.call("concat", parts), at: range)
  }
}
