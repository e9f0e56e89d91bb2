internal import AgentJSON

/// The input of an expression.
struct EvaluationRow {
  let object: JSONObject
  let timestamp: Int64
  let aggregates: [JSONValue]
  /// Counts the work.
  let meter: WorkMeter
}

/// Computes a value of a row.
typealias Evaluator = @Sendable (EvaluationRow) -> JSONValue
/// Evaluates a condition. Nil means that the result is unknown.
typealias Condition = @Sendable (EvaluationRow) -> Bool?

/// A compiled part of an expression: a constant, or closures over a row.
struct CompiledPart: Sendable {
  let constant: JSONValue?
  let value: Evaluator
  let condition: Condition

  init(constant: JSONValue) {
    self.constant = constant
    value = { _ in constant }
    let flag = constant.bool
    condition = { _ in flag }
  }

  init(value: @escaping Evaluator) {
    constant = nil
    self.value = value
    condition = { row in
      if case .bool(let flag) = value(row) { flag } else { nil }
    }
  }

  init(condition: @escaping Condition) {
    constant = nil
    value = { row in condition(row).map { .bool($0) } ?? .null }
    self.condition = condition
  }
}
