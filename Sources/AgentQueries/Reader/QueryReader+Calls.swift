import AgentJSON

/// Parses the suffixes of a value: `->name`, `[index]`, `#` and `:function(…)`. Also parses calls.
extension QueryReader {
  mutating func suffixes(
    of base: ExpressionTree, from start: Int
  ) throws(QueryError) -> ExpressionTree {
    var value = base
    while true {
      // A bracket or a type sign belongs to a value only if it follows directly.
      switch byte() {
      case UInt8(ascii: "["):
        index += 1
        let inner = try expression("an index")
        guard take("]") else { throw fail(.syntax, "the index isn't closed; \(found).") }
        value = try node(.element(value, inner), at: range(from: start))
        continue
      case UInt8(ascii: "#"):
        index += 1
        value = try node(.call("number", [value]), at: range(from: start))
        if isAtName { value = try method(on: value, from: start) }
        continue
      case UInt8(ascii: "$"):
        index += 1
        value = try node(.call("string", [value]), at: range(from: start))
        continue
      default: break
      }
      let end = index
      skip()
      if take("->") {
        skip()
        guard let name = try fieldName() else {
          throw fail(.syntax, "a name is missing after \"->\"; \(found).")
        }
        value = try node(.member(value, name), at: range(from: start))
      } else if take(":") {
        skip()
        value = try method(on: value, from: start)
      } else {
        index = end
        return value
      }
    }
  }

  /// Parses `name(…)` or `name` after a colon.
  private mutating func method(
    on base: ExpressionTree, from start: Int
  ) throws(QueryError) -> ExpressionTree {
    let nameStart = index
    guard let name = name() else {
      throw fail(.syntax, "a function's name is missing after \":\"; \(found).")
    }
    return try call(name, nameAt: range(from: nameStart), base: base, from: start)
  }

  /// Parses the arguments of a call whose name was read.
  mutating func call(
    _ name: String, nameAt: QueryRange, base: ExpressionTree?, from start: Int
  ) throws(QueryError) -> ExpressionTree {
    let written = byte() == UInt8(ascii: "(") ? try arguments() : []
    let whole = range(from: start)
    if name == "if", let base, case .aggregation(let aggregation) = base.kind {
      return try conditional(aggregation, written, at: whole)
    }
    if name == "if", let base, base.hasAggregation {
      throw fail(
        .type,
        "write :if(condition) directly after each aggregation, not after an expression of them.",
        at: nameAt)
    }
    let arguments = (base.map { [$0] } ?? []) + written
    if let macro = macros[name] { return try expand(macro, arguments, at: whole) }
    if let aggregation = AggregationName(rawValue: name),
      aggregation.arguments.contains(arguments.count) || !FunctionNames.all.contains(name)
    {
      return try self.aggregation(aggregation, arguments, nameAt: nameAt, at: whole)
    }
    try FunctionNames.check(name, arguments.count, at: nameAt, reader: self)
    return try node(.call(name, arguments), at: whole)
  }

  private mutating func arguments() throws(QueryError) -> [ExpressionTree] {
    let start = index
    index += 1
    skip()
    if take(")") { return [] }
    try enter()
    var arguments: [ExpressionTree] = []
    repeat {
      arguments.append(try expression("an argument"))
      skip()
    } while take(",")
    leave()
    guard take(")") else {
      throw fail(.syntax, "the bracket opened at \(text.place(at: start)) isn't closed; \(found).")
    }
    return arguments
  }

  // MARK: Aggregations

  private mutating func aggregation(
    _ name: AggregationName, _ arguments: [ExpressionTree], nameAt: QueryRange, at range: QueryRange
  ) throws(QueryError) -> ExpressionTree {
    guard name.arguments.contains(arguments.count) else {
      throw fail(
        .type,
        "\(name.rawValue) takes \(FunctionNames.phrase(name.arguments)), not \(arguments.count).",
        at: nameAt)
    }
    for argument in arguments where argument.hasAggregation {
      throw fail(
        .type, "an aggregation can't be over another one; compute that in a pipe of its own first.",
        at: argument.range)
    }
    return try node(
      .aggregation(AggregationTree(name: name, arguments: arguments)), at: range)
  }

  private mutating func conditional(
    _ aggregation: AggregationTree, _ arguments: [ExpressionTree], at range: QueryRange
  ) throws(QueryError) -> ExpressionTree {
    guard arguments.count == 1 else {
      throw fail(
        .type, "an aggregation may be followed by :if(condition), with one condition.", at: range)
    }
    var condition = arguments[0]
    try refuseAggregation(in: condition, ":if")
    if let previous = aggregation.condition {
      condition = try node(.binary(.and, left: previous, right: condition), at: condition.range)
    }
    return try node(
      .aggregation(
        AggregationTree(
          name: aggregation.name, arguments: aggregation.arguments, condition: condition)),
      at: range)
  }
}
