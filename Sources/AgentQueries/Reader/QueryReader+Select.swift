internal import AgentText

/// `named… [by …] [over window] [every period | at the end]`
extension QueryReader {
  mutating func select() throws(QueryError) -> SelectTree {
    if isAt(keyword: "expand") { throw unsupported("expand") }
    let columns = try columns("a value")
    var groups: [ColumnTree]?
    var window: WindowTree?
    var output: OutputTree?
    while true {
      skip()
      let start = index
      if take(keyword: "by") {
        try once(groups == nil, "by", from: start)
        groups = try scalarColumns("by")
      } else if take(keyword: "over") {
        try once(window == nil, "over", from: start)
        window = try self.window()
      } else if take(keyword: "every") {
        try once(output == nil, "every or \"at the end\"", from: start)
        output = try every(from: start)
      } else if take(keyword: "at") {
        try once(output == nil, "every or \"at the end\"", from: start)
        output = try atTheEnd(from: start)
      } else {
        try refuseClause()
        break
      }
    }
    try checkNames((groups ?? []) + columns)
    return SelectTree(columns: columns, groups: groups ?? [], window: window, output: output)
  }

  private func once(_ isFirst: Bool, _ clause: String, from start: Int) throws(QueryError) {
    guard isFirst else {
      throw fail(.syntax, "a pipe has one \(clause).", at: range(from: start))
    }
  }

  private func refuseClause() throws(QueryError) {
    if isAt(keyword: "expiry") { throw unsupported("expiry of groups") }
    if isAt(keyword: "before") || isAt(keyword: "after") {
      throw unsupported("output before or after a condition")
    }
  }

  /// Refuses two columns with the same name, because one value would be lost.
  private func checkNames(_ columns: [ColumnTree]) throws(QueryError) {
    var seen: [String: ExpressionTree.Kind] = [:]
    for column in columns {
      // `mnemonic … by mnemonic` has the group's value twice, so nothing is lost.
      let first = seen[column.name, default: column.expression.kind]
      guard first == column.expression.kind else {
        throw fail(
          .syntax, "two values are called \"\(column.name)\"; give one another name: … as other.",
          at: column.range)
      }
      seen[column.name] = first
    }
  }

  // MARK: Columns

  /// Parses named expressions with commas between them.
  mutating func columns(_ what: String) throws(QueryError) -> [ColumnTree] {
    var columns: [ColumnTree] = []
    repeat {
      skip()
      columns.append(try column(what))
      skip()
    } while take(",")
    return columns
  }

  /// Parses columns without aggregations.
  mutating func scalarColumns(_ place: String) throws(QueryError) -> [ColumnTree] {
    let columns = try columns("a value")
    for column in columns { try refuseAggregation(in: column.expression, place) }
    return columns
  }

  mutating func column(_ what: String) throws(QueryError) -> ColumnTree {
    let start = index
    let expression = try expression(what)
    let own = QueryRange(start: start, end: expression.range.end)
    skip()
    guard take(keyword: "as") else {
      return ColumnTree(expression, name: defaultName(of: expression, at: own), at: own)
    }
    skip()
    guard let name = try fieldName() else {
      throw fail(.syntax, "a name is missing after \"as\"; \(found).")
    }
    let range = range(from: start)
    if byte() == UInt8(ascii: "(") { throw unsupported("a unit after a name") }
    return ColumnTree(expression, name: name, at: range)
  }

  /// Parses a field's name: a word, or any text in braces or quotes. Returns nil if there is none.
  mutating func fieldName() throws(QueryError) -> String? {
    if isAtQuote { return try quoted() }
    if byte() == UInt8(ascii: "{") { return try braced() }
    return name()
  }

  /// Parses `{any text}` from its brace on.
  mutating func braced() throws(QueryError) -> String {
    let start = index
    index += 1
    while !isAtEnd, byte() != UInt8(ascii: "}"), byte() != UInt8(ascii: "\n") { index += 1 }
    let inner = QueryRange(start: start + 1, end: index)
    guard take("}") else {
      throw fail(.syntax, "the brace isn't closed.", at: range(from: start))
    }
    guard inner.start < inner.end else {
      throw fail(.syntax, "braces must hold a name.", at: range(from: start))
    }
    return text.text(of: inner)
  }

  /// Returns a field's own name. For any other expression it returns its text with one `_` for each
  /// run of signs: `sum(price#)` is `sum_price`, `count()` is `count`.
  private func defaultName(of expression: ExpressionTree, at range: QueryRange) -> String {
    if case .field(let name) = expression.kind { return name }
    var name = ""
    for character in text.text(of: range) {
      if character.isLetter || character.isNumber {
        name.append(character)
      } else if !name.isEmpty, name.last != "_" {
        name.append("_")
      }
    }
    while name.last == "_" { name.removeLast() }
    return name.isEmpty ? "value" : name
  }

  // MARK: Windows and periods

  private mutating func window() throws(QueryError) -> WindowTree {
    skip()
    let start = index
    let kind: WindowTree.Kind
    if take(keyword: "all") {
      kind = .all
    } else if take(keyword: "today") {
      kind = .current(.day)
    } else if take(keyword: "current") {
      skip()
      guard let unit = try unit() else {
        throw fail(.syntax, "a unit of time must follow \"current\"; \(found).")
      }
      kind = .current(unit)
    } else if take(keyword: "last") {
      skip()
      let amountStart = index
      let amount = Self.isDigit(byte()) ? try integer("A window") : 1
      skip()
      if try items(amount, from: amountStart) {
        kind = .lastItems(amount)
      } else {
        kind = .last(try period(amount, from: amountStart, "a window"))
      }
    } else {
      if isAt("@@") { throw unsupported("a window by macro") }
      throw fail(
        .syntax,
        "a window must follow \"over\": last 60 seconds, last 10 items, current hour, today "
          + "or all; \(found).")
    }
    return WindowTree(kind, at: range(from: start))
  }

  private mutating func every(from start: Int) throws(QueryError) -> OutputTree {
    skip()
    let amountStart = index
    if isAt("(") { throw unsupported("output on a condition") }
    if isAt(keyword: "batch") { throw unsupported("output by batch") }
    let amount = Self.isDigit(byte()) ? try integer("A period") : 1
    skip()
    if try items(amount, from: amountStart) {
      return OutputTree(.everyItems(amount), at: range(from: start))
    }
    let period = try period(amount, from: amountStart, "\"every\"")
    return OutputTree(.every(period), at: range(from: start))
  }

  private mutating func atTheEnd(from start: Int) throws(QueryError) -> OutputTree {
    skip()
    guard take(keyword: "the") else { throw fail(.syntax, "write \"at the end\"; \(found).") }
    skip()
    guard take(keyword: "end") else { throw fail(.syntax, "write \"at the end\"; \(found).") }
    return OutputTree(.atTheEnd, at: range(from: start))
  }

  private mutating func items(_ amount: Int, from start: Int) throws(QueryError) -> Bool {
    guard
      take(keyword: "items") || take(keyword: "item") || take(keyword: "events")
        || take(keyword: "event")
    else { return false }
    guard amount > 0 else { throw fail(.type, "it is at least 1 item.", at: range(from: start)) }
    return true
  }

  /// Parses a period such as `60 seconds` or `minute`.
  mutating func period(_ what: String) throws(QueryError) -> QueryPeriod {
    skip()
    let start = index
    let amount = Self.isDigit(byte()) ? try integer("A period") : 1
    skip()
    return try period(amount, from: start, what)
  }

  private mutating func period(
    _ amount: Int, from start: Int, _ what: String
  ) throws(QueryError) -> QueryPeriod {
    guard let unit = try unit() else {
      throw fail(
        .syntax,
        "\(what) needs a length of time with its unit, such as 30 seconds or 1 day; \(found).")
    }
    guard let period = QueryPeriod(amount, unit) else {
      throw fail(.type, "a period is from 1 ms to 1,000 years long.", at: range(from: start))
    }
    return period
  }

  /// Parses a unit of time. Returns nil if there is none.
  mutating func unit() throws(QueryError) -> QueryPeriod.Unit? {
    let start = index
    guard let word = name() else { return nil }
    if let unit = QueryPeriod.Unit(word: word) { return unit }
    let names = QueryPeriod.Unit.allCases.map(\.rawValue)
    let near = NameSuggestion.question(NameSuggestion.of(word, among: names), quote: "")
    throw fail(
      .syntax, "\"\(word)\" is no unit of time.\(near)", at: range(from: start))
  }
}
