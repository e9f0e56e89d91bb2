import AgentJSON
import AgentText

/// Parses pipes, which follow arrows.
extension QueryReader {
  /// Parses a whole query with its definitions, up to the end of the text.
  mutating func query() throws(QueryError) -> QueryTree {
    try definitions()
    skip()
    guard !isAtEnd else {
      throw fail(.syntax, "the query is empty; write an event type, or * for every event.")
    }
    guard !isAt("=>") else {
      throw fail(.syntax, "the query has no filter; write an event type, or * for every event.")
    }
    let filter = try filter()
    skip()
    let pipes = take("=>") ? try chain() : []
    skip()
    guard isAtEnd else {
      throw fail(.syntax, "the query should end here or continue with \"=>\"; \(found).")
    }
    return QueryTree(filter: filter, pipes: pipes)
  }

  /// Parses pipes with arrows between them. The first arrow was read already.
  mutating func chain() throws(QueryError) -> [PipeTree] {
    var pipes: [PipeTree] = []
    repeat {
      skip()
      pipes += try pipe()
      skip()
    } while take("=>")
    return pipes
  }

  /// Parses one pipe. A macro may stand for several.
  private mutating func pipe() throws(QueryError) -> [PipeTree] {
    let start = index
    if take("[") { return [try combination(from: start)] }
    if isAt("@"), !isAt("@@") { return try namedPipe() }
    let kind = PipeTree.Kind.select(try select())
    return [try pipe(kind, from: start)]
  }

  func endedRange(from start: Int) -> QueryRange {
    // The blanks after the last word were skipped in search of another one. They don't belong to
    // the pipe.
    var end = min(index, text.bytes.count)
    while end > start, text.bytes[end - 1] <= 0x20 { end -= 1 }
    return QueryRange(start: start, end: end)
  }

  mutating func pipe(_ kind: PipeTree.Kind, from start: Int) throws(QueryError) -> PipeTree {
    let range = endedRange(from: start)
    try count(at: range)
    return PipeTree(kind, at: range)
  }

  // MARK: Union and join

  private mutating func combination(from start: Int) throws(QueryError) -> PipeTree {
    try enter()
    var left = try branch()
    var combined: PipeTree?
    while let combination = try combinationOperator() {
      var branches = [left, try branch()]
      if combination == .union {
        while take(keyword: "union") { branches.append(try branch()) }
      }
      let pipe = try pipe(.combine(CombineTree(combination, branches)), from: start)
      combined = pipe
      left = [pipe]
    }
    guard take("]") else {
      throw fail(.syntax, "the bracket opened at \(text.place(at: start)) isn't closed; \(found).")
    }
    guard let combined else {
      throw fail(
        .syntax, "square brackets must hold pipes with \"union\" or \"join\" between them.",
        at: range(from: start))
    }
    leave()
    return PipeTree(combined.kind, at: range(from: start))
  }

  private mutating func branch() throws(QueryError) -> [PipeTree] {
    skip()
    _ = take("=>")
    let pipes = try chain()
    skip()
    return pipes
  }

  private mutating func combinationOperator() throws(QueryError) -> CombineTree.Operator? {
    skip()
    if take(keyword: "union") { return .union }
    guard take(keyword: "join") else { return nil }
    skip()
    return .join(on: take(keyword: "on") ? try columns("a field to join on") : [])
  }

  // MARK: Named pipes

  /// All pipes, for suggestions.
  static let pipeNames = [
    "filter", "sort", "top", "yield", "set", "latest", "throttle", "debounce",
  ]

  /// Pipes of the language that this version lacks.
  private static let unsupportedPipes: Set<String> = [
    "chain", "compile", "compress", "for", "meta", "onchange", "unique", "resample", "delay",
    "distinct", "expand", "skip", "batch", "product",
  ]

  private mutating func namedPipe() throws(QueryError) -> [PipeTree] {
    let start = index
    index += 1
    guard let name = name() else {
      throw fail(.syntax, "a pipe's name is missing after @; \(found).")
    }
    let nameRange = range(from: start)
    if let macro = macros["@" + name] { return try expandPipe(macro, at: nameRange) }
    let kind: PipeTree.Kind
    skip()
    switch name {
    case "filter": kind = .filter(try scalar("@filter"))
    case "sort": kind = .sort(try sortKeys())
    case "top": kind = try top()
    case "yield": kind = .yield(isAtEndOfPipe ? nil : try scalar("@yield"))
    case "set": kind = .set(try scalarColumns("@set"))
    case "latest": kind = .latest
    case "throttle": kind = try throttle()
    case "debounce": kind = .debounce(try period("@debounce"), by: try groups())
    default:
      if Self.unsupportedPipes.contains(name) { throw unsupported("@\(name)", at: nameRange) }
      let near = NameSuggestion.of(name, among: Self.pipeNames).map {
        " Did you mean @\($0)?"
      }
      throw fail(.unknownName, "there is no pipe @\(name).\(near ?? "")", at: nameRange)
    }
    return [try pipe(kind, from: start)]
  }

  private var isAtEndOfPipe: Bool {
    isAtEnd || isAt("=>") || isAt("]") || isAt(";") || isAt(keyword: "union")
      || isAt(keyword: "join")
  }

  private mutating func top() throws(QueryError) -> PipeTree.Kind {
    let count = try positive("@top's first argument")
    guard take(",") else {
      throw fail(.syntax, "@top is written @top 10, value desc; \(found).")
    }
    let keys = try sortKeys()
    return .top(count: count, keys: keys, by: try groups())
  }

  private mutating func throttle() throws(QueryError) -> PipeTree.Kind {
    let count = try positive("@throttle's first argument")
    guard take(",") else {
      throw fail(.syntax, "@throttle is written @throttle 1, 60 seconds; \(found).")
    }
    let period = try period("@throttle")
    return .throttle(count: count, period, by: try groups())
  }

  private mutating func positive(_ what: String) throws(QueryError) -> Int {
    let start = index
    guard Self.isDigit(byte()) else {
      throw fail(.syntax, "\(what) is a whole number; \(found).")
    }
    let value = try integer(what)
    guard value > 0 else {
      throw fail(.type, "\(what) is at least 1.", at: range(from: start))
    }
    skip()
    return value
  }

  private mutating func sortKeys() throws(QueryError) -> [SortKey] {
    var keys: [SortKey] = []
    repeat {
      skip()
      let expression = try scalar("a sort key")
      skip()
      let isDescending = take(keyword: "desc")
      if !isDescending { _ = take(keyword: "asc") }
      keys.append(SortKey(expression, isDescending: isDescending))
      skip()
    } while take(",")
    return keys
  }

  /// Parses `by …`. Returns an empty list if there is none.
  private mutating func groups() throws(QueryError) -> [ColumnTree] {
    skip()
    guard take(keyword: "by") else { return [] }
    let columns = try scalarColumns("by")
    skip()
    if isAt(keyword: "expiry") { throw unsupported("expiry of groups") }
    return columns
  }
}
