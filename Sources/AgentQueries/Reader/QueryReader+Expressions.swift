import AgentJSON

/// Parses expressions: operators and their operands.
extension QueryReader {
  /// Parses an expression. Aggregations are allowed.
  mutating func expression(_ what: String = "a value") throws(QueryError) -> ExpressionTree {
    try enter()
    let expression = try binary(tighterThan: 0, what)
    skip()
    try refuseForeignOperator()
    leave()
    return expression
  }

  /// Parses an expression that is the whole text after the definitions.
  mutating func loneExpression() throws(QueryError) -> ExpressionTree {
    try definitions()
    let expression = try expression()
    skip()
    guard isAtEnd else { throw fail(.syntax, "the expression should end here; \(found).") }
    return expression
  }

  /// Parses an expression without aggregations.
  mutating func scalar(_ place: String) throws(QueryError) -> ExpressionTree {
    let expression = try expression()
    try refuseAggregation(in: expression, place)
    return expression
  }

  func refuseAggregation(in expression: ExpressionTree, _ place: String) throws(QueryError) {
    guard expression.hasAggregation else { return }
    throw fail(
      .type, "\(place) works on one row at a time; an aggregation can't be used there.",
      at: expression.range)
  }

  /// Makes a node and checks the limits of the tree.
  mutating func node(
    _ kind: ExpressionTree.Kind, at range: QueryRange
  ) throws(QueryError) -> ExpressionTree {
    try count(at: range)
    let tree = ExpressionTree(kind, at: range)
    // An argument that a macro uses often is one node here and many at run time.
    guard tree.size <= limits.nodes else { throw tooLarge(at: range) }
    guard tree.height <= Self.maxHeight else {
      throw fail(
        .limit, "the expression has more than \(Self.maxHeight) parts one in another.",
        at: range)
    }
    return tree
  }

  // MARK: Operators

  private static func strength(_ operation: BinaryOperator) -> Int {
    switch operation {
    case .or: 1
    case .and: 2
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: 3
    case .plus, .minus: 4
    case .times, .divide, .remainder: 5
    case .otherwise: 6
    }
  }

  /// Parses operands with operators that bind tighter than `bound`, from left to right.
  private mutating func binary(
    tighterThan bound: Int, _ what: String
  ) throws(QueryError) -> ExpressionTree {
    var left = try operand(what)
    var previous: BinaryOperator?
    while let (operation, length) = operatorHere(), Self.strength(operation) > bound {
      let operatorStart = index
      try checkOrder(of: operation, behind: previous, bound: bound, at: operatorStart)
      index += length
      let right = try binary(
        tighterThan: Self.strength(operation), "a value after \"\(operation.rawValue)\"")
      left = try node(
        .binary(operation, left: left, right: right), at: left.range.joined(with: right.range))
      previous = operation
    }
    return left
  }

  /// Refuses chained comparisons, and `??` without brackets beside other operators, because its
  /// precedence isn't agreed.
  private func checkOrder(
    of operation: BinaryOperator, behind previous: BinaryOperator?, bound: Int, at start: Int
  ) throws(QueryError) {
    let range = QueryRange(start: start, end: start + operation.rawValue.utf8.count)
    let isMixed =
      operation == .otherwise && bound > 0 && bound < Self.strength(.otherwise)
      || (previous == .otherwise) != (operation == .otherwise) && previous != nil
    if isMixed {
      throw fail(
        .syntax, "put \"??\" and its values in brackets if other operators are next to it.",
        at: range)
    }
    guard Self.strength(operation) == 3, let previous, Self.strength(previous) == 3 else { return }
    throw fail(.syntax, "put one of the two comparisons in brackets.", at: range)
  }

  /// Returns the next operator and its length. Nil means that the expression ends.
  private mutating func operatorHere() -> (BinaryOperator, Int)? {
    skip()
    switch byte() {
    case UInt8(ascii: "|"): return isAt("|>") ? nil : (.or, isAt("||") ? 2 : 1)
    case UInt8(ascii: "&"): return (.and, isAt("&&") ? 2 : 1)
    case UInt8(ascii: "="): return isAt("==") ? (.equal, 2) : nil
    case UInt8(ascii: "!"): return isAt("!=") ? (.notEqual, 2) : nil
    case UInt8(ascii: "<"):
      if isAt("<>") { return nil }
      return isAt("<=") ? (.lessOrEqual, 2) : (.less, 1)
    case UInt8(ascii: ">"): return isAt(">=") ? (.greaterOrEqual, 2) : (.greater, 1)
    case UInt8(ascii: "+"): return (.plus, 1)
    case UInt8(ascii: "-"): return isAt("->") ? nil : (.minus, 1)
    case UInt8(ascii: "*"): return isAt("**") ? nil : (.times, 1)
    case UInt8(ascii: "/"): return (.divide, 1)
    case UInt8(ascii: "%"): return (.remainder, 1)
    case UInt8(ascii: "?"): return isAt("??") ? (.otherwise, 2) : nil
    default: return nil
    }
  }

  private func refuseForeignOperator() throws(QueryError) {
    if isAt("|>") { throw unsupported("mapping a list with |>") }
    if isAt("<>") { throw fail(.syntax, "unequal is written !=.") }
    if isAt("**") || isAt("^") { throw fail(.syntax, "a power is written pow(x, y).") }
    if isAt("?") { throw unsupported("a choice with ? (write if(condition, one, other))") }
    if isAt("="), !isAt("=>") { throw fail(.syntax, "equal is written ==.") }
    if isAt("~") { throw unsupported("~ in an expression") }
    if isAt(keyword: "and") { throw fail(.syntax, "both is written &&.") }
    if isAt(keyword: "or") { throw fail(.syntax, "one of both is written ||.") }
  }

  // MARK: Operands

  private mutating func operand(_ what: String) throws(QueryError) -> ExpressionTree {
    skip()
    let start = index
    if isAt("-") || (isAt("!") && !isAt("!=")) || isAt(keyword: "not") {
      try enter()
      let operation: UnaryOperator = isAt("-") ? .minus : .not
      index += isAt(keyword: "not") ? 3 : 1
      let operand = try operand("a value after \"\(operation.rawValue)\"")
      leave()
      if operation == .minus, case .literal(.number(let number)) = operand.kind,
        let negative = JSONNumber(parsing: "-" + number.text)
      {
        return try node(.literal(.number(negative)), at: range(from: start))
      }
      return try node(.unary(operation, operand), at: range(from: start))
    }
    return try suffixes(of: try primary(what), from: start)
  }

  private mutating func primary(_ what: String) throws(QueryError) -> ExpressionTree {
    let start = index
    switch byte() {
    case UInt8(ascii: "("): return try parenthesized()
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let value = try quoted(withEscapes: true)
      return try interpolated(value, at: range(from: start))
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "{"):
      let name = try braced()
      return try node(.field(name), at: range(from: start))
    case UInt8(ascii: "*"):
      index += 1
      return try node(.row, at: range(from: start))
    case UInt8(ascii: "\\"):
      index += 1
      guard let part = try filterOperand(CurrentField()) else {
        throw fail(.syntax, "a filter must follow \\: \\field:value.", at: range(from: start))
      }
      return try node(.filter(part.tree), at: range(from: start))
    default: break
    }
    if isAt("@@") { return try constant() }
    guard let name = name() else { throw fail(.syntax, "\(what) is missing; \(found).") }
    return try named(name, from: start)
  }

  private mutating func named(_ name: String, from start: Int) throws(QueryError) -> ExpressionTree
  {
    let own = range(from: start)
    skip()
    if byte() == UInt8(ascii: "(") {
      return try call(name, nameAt: own, base: nil, from: start)
    }
    index = own.end
    switch name {
    case "true": return try node(.literal(true), at: own)
    case "false": return try node(.literal(false), at: own)
    case "null": return try node(.literal(.null), at: own)
    case "_": return try node(.first, at: own)
    case "as", "by", "every", "join", "over", "union":
      throw fail(
        .syntax, "a value is missing before \"\(name)\"; a field of that name is {\(name)}.",
        at: own)
    default:
      if let argument = bindings[name] { return argument }
      return try node(.field(name), at: own)
    }
  }

  /// Parses a number, or a period if a unit of time follows.
  private mutating func number() throws(QueryError) -> ExpressionTree {
    let start = index
    let text = numberText()
    let end = index
    guard let value = JSONNumber(parsing: text), value.double.isFinite else {
      throw fail(.syntax, "\(text) is no number.", at: range(from: start))
    }
    skip()
    if isAtName {
      let wordStart = index
      if let word = name(), let unit = QueryPeriod.Unit(word: word) {
        guard let amount = value.int, let period = QueryPeriod(amount, unit) else {
          throw fail(
            .type, "a period has a whole number of units and is at most 1,000 years long.",
            at: range(from: start))
        }
        return try node(.period(period), at: range(from: start))
      }
      index = wordStart
    }
    index = end
    return try node(.literal(.number(value)), at: range(from: start))
  }

  /// Parses `(x)`, a list `(x, y)` or `(x,)`, or a record `(x as a, y as b)`.
  private mutating func parenthesized() throws(QueryError) -> ExpressionTree {
    let start = index
    index += 1
    var columns: [ColumnTree] = []
    var named = 0
    var isList = false
    repeat {
      skip()
      if isList, byte() == UInt8(ascii: ")") { break }
      let column = try column("a value")
      if column.range.end > column.expression.range.end { named += 1 }
      columns.append(column)
      skip()
      let comma = take(",")
      isList = isList || comma
      if !comma { break }
    } while true
    guard take(")") else {
      throw fail(.syntax, "the bracket opened at \(text.place(at: start)) isn't closed; \(found).")
    }
    let range = range(from: start)
    if named == columns.count { return try node(.record(columns), at: range) }
    guard named == 0 else {
      throw fail(
        .syntax, "either all values in brackets have a name with \"as\", or none.", at: range)
    }
    if isList { return try node(.list(columns.map(\.expression)), at: range) }
    return ExpressionTree(columns[0].expression.kind, at: range)
  }
}
