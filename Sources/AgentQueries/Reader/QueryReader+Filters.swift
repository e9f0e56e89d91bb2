import AgentJSON

/// Parses filters before the first pipe and after `\` in an expression.
extension QueryReader {
  /// The field of terms without a field of their own.
  struct CurrentField {
    var name = "type"
    var isNumber = false
    var isExact = false
    /// Whether no field was written, so that a word is a type of events.
    var isImplied = true
  }

  /// Parses alternatives up to a character that can't belong to a filter.
  mutating func filter(_ field: CurrentField = CurrentField()) throws(QueryError) -> FilterTree {
    try enter()
    var parts = [try filterConjunction(field)]
    skip()
    while isAt("|"), !isAt("|>") {
      index += isAt("||") ? 2 : 1
      parts.append(try filterConjunction(field))
      skip()
    }
    leave()
    return try node(FilterTree.Kind.any, parts)
  }

  private mutating func filterConjunction(_ field: CurrentField) throws(QueryError) -> FilterTree {
    var parts: [FilterTree] = []
    var hasType = false
    while true {
      skip()
      let isJoined = !parts.isEmpty && byte() == UInt8(ascii: "&")
      if isJoined { index += isAt("&&") ? 2 : 1 }
      skip()
      guard isJoined || parts.isEmpty || !isAtEndOfFilter else { break }
      guard let part = try filterOperand(field) else { continue }
      guard !part.namesType || !hasType else {
        throw fail(
          .syntax,
          "only the first word names a type; write a filter as field:value, or types as "
            + "(one|other).", at: part.tree.range)
      }
      hasType = hasType || part.namesType
      parts.append(part.tree)
    }
    return try node(FilterTree.Kind.all, parts)
  }

  private var isAtEndOfFilter: Bool {
    switch byte() {
    case 0 where isAtEnd: true
    case UInt8(ascii: "|"), UInt8(ascii: ")"), UInt8(ascii: "="), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  /// A part of a filter, and whether it is a single word for the type of events.
  struct FilterPart {
    let tree: FilterTree
    var namesType = false
  }

  /// Parses a term or a group, possibly negated. Returns nil for a hint, which doesn't change the
  /// result.
  mutating func filterOperand(_ field: CurrentField) throws(QueryError) -> FilterPart? {
    skip()
    let start = index
    if take("-") {
      guard field.isImplied || !Self.isDigit(byte()) else {
        throw fail(
          .syntax,
          "a hyphen in front of a value negates it; quote a negative number: \"-5\".",
          at: QueryRange(start: start, end: index + 1))
      }
      try enter()
      guard let operand = try filterOperand(field) else {
        throw fail(.syntax, "a hint can't be negated.", at: range(from: start))
      }
      leave()
      return FilterPart(tree: try node(.not(operand.tree), from: start))
    }
    if take("(") {
      let inner = try filter(field)
      guard take(")") else {
        throw fail(
          .syntax, "the bracket opened at \(text.place(at: start)) isn't closed; \(found).")
      }
      return FilterPart(tree: FilterTree(inner.kind, at: range(from: start)))
    }
    return try filterTerm(field)
  }

  // MARK: Nodes

  private mutating func node(
    _ kind: ([FilterTree]) -> FilterTree.Kind, _ parts: [FilterTree]
  ) throws(QueryError) -> FilterTree {
    guard let first = parts.first, let last = parts.last else {
      throw fail(.syntax, "a filter is missing; write a type, field:value, or *.")
    }
    guard parts.count > 1 else { return first }
    let range = first.range.joined(with: last.range)
    try count(at: range)
    return FilterTree(kind(parts), at: range)
  }

  mutating func node(_ kind: FilterTree.Kind, from start: Int) throws(QueryError) -> FilterTree {
    try count(at: range(from: start))
    return FilterTree(kind, at: range(from: start))
  }
}
