internal import AgentJSON

extension ExpressionCompiler {
  func binary(
    _ operation: BinaryOperator, left: CompiledPart, right: CompiledPart
  ) -> CompiledPart {
    let part: CompiledPart
    switch operation {
    case .plus: return map(left, right, times: 1) { Self.sum($1, $2) }
    case .minus, .times, .divide, .remainder:
      return map(left, right) { _, left, right in
        guard case .number(let left) = left, case .number(let right) = right else { return .null }
        return Arithmetic.apply(operation, left: left, right: right)
      }
    case .equal: part = equality(left, right, isEqual: true)
    case .notEqual: part = equality(left, right, isEqual: false)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      part = order(operation, left: left, right: right)
    case .and: part = both(left.condition, right.condition)
    case .or: part = either(left.condition, right.condition)
    case .otherwise: return otherwise(left, right)
    }
    guard left.constant != nil, right.constant != nil else { return part }
    // Only constants are involved, so the row doesn't matter.
    let row = EvaluationRow(object: [:], timestamp: 0, aggregates: [], meter: WorkMeter())
    return CompiledPart(constant: part.value(row))
  }

  /// Returns the sum of numbers. If one is a text, both are joined as texts.
  private static func sum(_ left: JSONValue, _ right: JSONValue) -> JSONValue {
    switch (left, right) {
    case (.number(let left), .number(let right)):
      return Arithmetic.apply(.plus, left: left, right: right)
    case (.string, .string), (.string, .number), (.number, .string), (.string, .bool),
      (.bool, .string):
      guard let left = left.asText, let right = right.asText,
        left.utf8.count + right.utf8.count <= TextSearch.longest
      else { return .null }
      return .string(left + right)
    default: return .null
    }
  }

  private func equality(_ left: CompiledPart, _ right: CompiledPart, isEqual: Bool) -> CompiledPart
  {
    let leftValue = left.value
    if case .null? = right.constant {
      return CompiledPart(condition: { row in
        if case .null = leftValue(row) { isEqual } else { !isEqual }
      })
    }
    if let wanted = right.constant {
      return CompiledPart(condition: { row in
        row.equal(leftValue(row), wanted).map { $0 == isEqual }
      })
    }
    let rightValue = right.value
    return CompiledPart(condition: { row in
      row.equal(leftValue(row), rightValue(row)).map { $0 == isEqual }
    })
  }

  private func order(
    _ operation: BinaryOperator, left: CompiledPart, right: CompiledPart
  ) -> CompiledPart {
    let leftValue = left.value
    if case .number(let bound)? = right.constant {
      return CompiledPart(condition: { row in
        guard case .number(let number) = leftValue(row) else { return nil }
        return Comparison.apply(operation, left: number, right: bound)
      })
    }
    let rightValue = right.value
    return CompiledPart(condition: { row in
      let (left, right) = (leftValue(row), rightValue(row))
      guard row.reads(left) else { return nil }
      return Comparison.apply(operation, left: left, right: right)
    })
  }

  /// False if either is false. True if both are true. Otherwise null.
  private func both(_ left: @escaping Condition, _ right: @escaping Condition) -> CompiledPart {
    CompiledPart(condition: { row in
      switch left(row) {
      case false: return false
      case true: return right(row)
      case nil: return right(row) == false ? false : nil
      }
    })
  }

  /// True if either is true. False if both are false. Otherwise null.
  private func either(_ left: @escaping Condition, _ right: @escaping Condition) -> CompiledPart {
    CompiledPart(condition: { row in
      switch left(row) {
      case true: return true
      case false: return right(row)
      case nil: return right(row) == true ? true : nil
      }
    })
  }

  private func otherwise(_ left: CompiledPart, _ right: CompiledPart) -> CompiledPart {
    if let constant = left.constant { return constant.isNull ? right : left }
    let (leftValue, rightValue) = (left.value, right.value)
    return CompiledPart(value: { row in
      let value = leftValue(row)
      if case .null = value { return rightValue(row) }
      return value
    })
  }
}

extension JSONValue {
  /// The value as text: a text unchanged, any other value as JSON. It is nil for null.
  var asText: String? {
    switch self {
    case .null: nil
    case .string(let text): text
    case .number(let number): number.text
    case .bool(let flag): flag ? "true" : "false"
    case .array, .object: text()
    }
  }
}
