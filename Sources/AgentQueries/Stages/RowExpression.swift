internal import AgentJSON

/// An expression over the rows of a pipe.
///
/// Rationale: it is a class, because steps hold it in arrays and call it once for each row. A
/// struct of closures would count a reference for each of them each time. A single field is the
/// most frequent expression. It is looked up without a closure.
final class RowExpression: Sendable {
  let tree: ExpressionTree
  private let compiled: CompiledExpression
  private let field: FieldPath?

  init(_ tree: ExpressionTree, in query: Query) throws(QueryError) {
    self.tree = tree
    compiled = try CompiledExpression(tree, in: query)
    if case .field(let name) = tree.kind, name != "timestamp" {
      field = FieldPath(name)
    } else {
      field = nil
    }
  }

  /// Returns the value for a row at a moment.
  func callAsFunction(_ row: JSONObject, at time: Int64, _ meter: WorkMeter) -> JSONValue {
    if let field { return field.value(in: row) ?? .null }
    return compiled.evaluate(row, timestamp: time, meter)
  }

  /// Returns whether it is true for a row at a moment.
  func isTrue(_ row: JSONObject, at time: Int64, _ meter: WorkMeter) -> Bool {
    compiled.isTrue(row, timestamp: time, meter)
  }
}

extension [RowExpression] {
  /// Returns the index of an expression. If no equal one exists, it is appended.
  mutating func place(of expression: RowExpression) -> Int {
    if let place = firstIndex(where: { $0.tree.isSame(as: expression.tree) }) { return place }
    append(expression)
    return count - 1
  }
}

/// A named expression over rows.
struct RowColumn: Sendable {
  let name: String
  let value: RowExpression
}

/// The key of groups: the value of one expression, or the list of several values.
final class RowKey: Sendable {
  private let first: RowExpression
  private let rest: [RowExpression]

  /// Makes a key. Nil means that there are no expressions.
  init?(_ columns: [RowColumn]) {
    guard let first = columns.first else { return nil }
    self.first = first.value
    rest = columns.dropFirst().map(\.value)
  }

  func callAsFunction(_ row: JSONObject, at time: Int64, _ meter: WorkMeter) -> JSONValue {
    let value = first(row, at: time, meter)
    let key = rest.isEmpty ? value : .array([value] + rest.map { $0(row, at: time, meter) })
    // A key is hashed and compared. A row whose key takes too much work goes no further.
    return meter.spend(reading: key) ? key : .null
  }
}
