internal import AgentJSON

/// Compiles a tree to closures, from the leaves up.
struct ExpressionCompiler {
  let text: QueryText
  private(set) var aggregations: [AggregationTree] = []
  /// The number of parts.
  private(set) var parts = 0

  init(text: QueryText) { self.text = text }

  mutating func part(_ tree: ExpressionTree) throws(QueryError) -> CompiledPart {
    parts += 1
    switch tree.kind {
    case .literal(let value): return CompiledPart(constant: value)
    case .period(let period): return try self.period(period, at: tree.range)
    case .field(let name): return field(FieldPath(name))
    case .row: return CompiledPart(value: { .object($0.object) })
    case .first: return CompiledPart(value: { Self.firstValue(of: $0.object) })
    case .member(let base, let name):
      return map(try part(base)) { $1.object?[name] ?? .null }
    case .element(let base, let index):
      return map(try part(base), try part(index)) { Self.element($1, $2) }
    case .unary(.minus, let operand):
      return map(try part(operand)) { $1.number.map(Arithmetic.negated) ?? .null }
    case .unary(.not, let operand):
      let condition = try part(operand).condition
      return CompiledPart(condition: { row in condition(row).map { !$0 } })
    case .binary(let operation, left: let left, right: let right):
      return binary(operation, left: try part(left), right: try part(right))
    case .call(let name, let arguments): return try call(name, arguments, at: tree.range)
    case .aggregation(let aggregation): return slot(aggregation)
    case .filter(let filter):
      let program = FilterProgram(filter)
      return CompiledPart(condition: { program.matches($0.object, $0.meter) })
    case .list(let elements): return gather(try parts(elements)) { JSONValue.array($1).bounded($0) }
    case .record(let columns):
      let names = columns.map(\.name)
      return gather(try parts(columns.map(\.expression))) { row, values in
        JSONValue.object(JSONObject(zip(names, values).map { (key: $0, value: $1) })).bounded(row)
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
  /// - Parameter factor: the steps for each byte of the operands.
  func map(
    _ operand: CompiledPart, times factor: Int = 0,
    _ body: @escaping @Sendable (EvaluationRow, JSONValue) -> JSONValue
  ) -> CompiledPart {
    if let constant = operand.constant,
      let result = Self.folded([constant], times: factor, { body($0, constant) })
    {
      return CompiledPart(constant: result)
    }
    let value = operand.value
    guard factor > 0 else { return CompiledPart(value: { body($0, value($0)) }) }
    return CompiledPart(value: { row in
      let operand = value(row)
      return row.reads(operand, times: factor) ? body(row, operand) : .null
    })
  }

  func map(
    _ left: CompiledPart, _ right: CompiledPart, times factor: Int = 0,
    body: @escaping @Sendable (EvaluationRow, JSONValue, JSONValue) -> JSONValue
  ) -> CompiledPart {
    if let left = left.constant, let right = right.constant,
      let result = Self.folded([left, right], times: factor, { body($0, left, right) })
    {
      return CompiledPart(constant: result)
    }
    let (left, right) = (left.value, right.value)
    guard factor > 0 else { return CompiledPart(value: { body($0, left($0), right($0)) }) }
    return CompiledPart(value: { row in
      let (left, right) = (left(row), right(row))
      guard row.reads(left, times: factor), row.reads(right, times: factor) else { return .null }
      return body(row, left, right)
    })
  }

  func gather(
    _ parts: [CompiledPart], times factor: Int = 0,
    _ body: @escaping @Sendable (EvaluationRow, [JSONValue]) -> JSONValue
  ) -> CompiledPart {
    let constants = parts.compactMap(\.constant)
    if constants.count == parts.count,
      let result = Self.folded(constants, times: factor, { body($0, constants) })
    {
      return CompiledPart(constant: result)
    }
    let values = parts.map(\.value)
    guard factor > 0 else {
      return CompiledPart(value: { row in body(row, values.map { $0(row) }) })
    }
    return CompiledPart(value: { row in
      let operands = values.map { $0(row) }
      for operand in operands where !row.reads(operand, times: factor) { return .null }
      return body(row, operands)
    })
  }

  /// Computes a constant. Nil means that it takes too many steps, or is too long, and that each row
  /// computes it.
  ///
  /// Rationale: a macro can repeat a short call thousands of times in one query. Its long result
  /// would be computed before the query has a thread of its own, and each copy would be kept.
  private static func folded(
    _ operands: [JSONValue], times factor: Int, _ body: (EvaluationRow) -> JSONValue
  ) -> JSONValue? {
    let limit = 64 << 10
    let meter = WorkMeter(WorkLimits(row: limit))
    let row = EvaluationRow(object: [:], timestamp: 0, aggregates: [], meter: meter)
    for operand in operands where !row.reads(operand, times: max(1, factor)) { return nil }
    let result = body(row)
    return !meter.isExhausted && result.steps <= limit ? result : nil
  }
}

extension AggregationTree {
  /// Returns whether both compute the same, wherever they are in the text.
  func isSame(as other: AggregationTree) -> Bool {
    name == other.name && ExpressionTree.areSame(arguments, other.arguments)
      && ExpressionTree.areSame(condition.map { [$0] } ?? [], other.condition.map { [$0] } ?? [])
  }
}
