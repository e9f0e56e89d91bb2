internal import AgentJSON

/// Compiles a tree to closures, from the leaves up.
struct ExpressionCompiler {
  let text: QueryText
  private(set) var aggregations: [AggregationTree] = []

  init(text: QueryText) { self.text = text }

  mutating func part(_ tree: ExpressionTree) throws(QueryError) -> CompiledPart {
    switch tree.kind {
    case .literal(let value): return CompiledPart(constant: value)
    case .period(let period): return try self.period(period, at: tree.range)
    case .field(let name): return field(FieldPath(name))
    case .row: return CompiledPart(value: { .object($0.object) })
    case .first: return CompiledPart(value: { Self.firstValue(of: $0.object) })
    case .member(let base, let name):
      return map(try part(base)) { $0.object?[name] ?? .null }
    case .element(let base, let index):
      return map(try part(base), try part(index), Self.element)
    case .unary(.minus, let operand):
      return map(try part(operand)) { $0.number.map(Arithmetic.negated) ?? .null }
    case .unary(.not, let operand):
      let condition = try part(operand).condition
      return CompiledPart(condition: { row in condition(row).map { !$0 } })
    case .binary(let operation, let left, let right):
      return binary(operation, try part(left), try part(right))
    case .call(let name, let arguments): return try call(name, arguments, at: tree.range)
    case .aggregation(let aggregation): return slot(aggregation)
    case .filter(let filter):
      let program = FilterProgram(filter)
      return CompiledPart(condition: { program.matches($0.object) })
    case .list(let elements): return gather(try parts(elements)) { JSONValue.array($0).bounded }
    case .record(let columns):
      let names = columns.map(\.name)
      return gather(try parts(columns.map(\.expression))) { values in
        JSONValue.object(JSONObject(zip(names, values).map { (key: $0, value: $1) })).bounded
      }
    }
  }

  mutating func parts(_ trees: [ExpressionTree]) throws(QueryError) -> [CompiledPart] {
    var parts: [CompiledPart] = []
    for tree in trees { parts.append(try part(tree)) }
    return parts
  }

  // MARK: Leaves

  private func field(_ path: FieldPath) -> CompiledPart {
    // A row of a pipe may lack this member. It still has a moment.
    if path.name == "timestamp" {
      return CompiledPart(value: {
        $0.object["timestamp"] ?? .number(JSONNumber(integerLiteral: $0.timestamp))
      })
    }
    return CompiledPart(value: { path.value(in: $0.object) ?? .null })
  }

  private static func firstValue(of object: JSONObject) -> JSONValue {
    for (key, value) in object where key != "timestamp" { return value }
    return .null
  }

  private func period(
    _ period: QueryPeriod, at range: QueryRange
  ) throws(QueryError) -> CompiledPart {
    guard let milliseconds = period.milliseconds else {
      throw QueryError(
        .type, "months and years differ in length; a period here must be weeks or shorter.",
        at: range, in: text)
    }
    return CompiledPart(constant: .number(JSONNumber(integerLiteral: Int64(milliseconds))))
  }

  private mutating func slot(_ aggregation: AggregationTree) -> CompiledPart {
    let position = aggregations.firstIndex { $0.isSame(as: aggregation) } ?? aggregations.count
    if position == aggregations.count { aggregations.append(aggregation) }
    return CompiledPart(value: { row in
      position < row.aggregates.count ? row.aggregates[position] : .null
    })
  }

  private static func element(_ base: JSONValue, _ index: JSONValue) -> JSONValue {
    switch (base, index) {
    case (.object(let object), .string(let key)): object[key] ?? .null
    case (.array(let elements), .number(let number)):
      if let index = number.int, elements.indices.contains(index) { elements[index] } else { .null }
    default: .null
    }
  }

  // MARK: Constants folded

  /// Compiles an operation on one operand. A constant is computed at once.
  func map(
    _ operand: CompiledPart, _ body: @escaping @Sendable (JSONValue) -> JSONValue
  ) -> CompiledPart {
    if let constant = operand.constant { return CompiledPart(constant: body(constant)) }
    let value = operand.value
    return CompiledPart(value: { body(value($0)) })
  }

  func map(
    _ left: CompiledPart, _ right: CompiledPart,
    _ body: @escaping @Sendable (JSONValue, JSONValue) -> JSONValue
  ) -> CompiledPart {
    switch (left.constant, right.constant) {
    case (let left?, let right?): return CompiledPart(constant: body(left, right))
    case (nil, let right?):
      let left = left.value
      return CompiledPart(value: { body(left($0), right) })
    default:
      let (left, right) = (left.value, right.value)
      return CompiledPart(value: { body(left($0), right($0)) })
    }
  }

  func gather(
    _ parts: [CompiledPart], _ body: @escaping @Sendable ([JSONValue]) -> JSONValue
  ) -> CompiledPart {
    let constants = parts.compactMap(\.constant)
    if constants.count == parts.count { return CompiledPart(constant: body(constants)) }
    let values = parts.map(\.value)
    return CompiledPart(value: { row in body(values.map { $0(row) }) })
  }
}

extension AggregationTree {
  /// Returns whether both compute the same, wherever they are in the text.
  func isSame(as other: AggregationTree) -> Bool {
    name == other.name && ExpressionTree.areSame(arguments, other.arguments)
      && ExpressionTree.areSame(condition.map { [$0] } ?? [], other.condition.map { [$0] } ?? [])
  }
}
