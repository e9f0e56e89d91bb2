internal import AgentJSON

/// An expression over the rows of a pipe.
///
/// Rationale: a class, because steps hold it in arrays and ask it once a row; a struct of
/// closures costs a reference count for each of them, each time. A field alone, the most frequent
/// expression, is looked up without a closure.
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

  /// The value for a row of a moment.
  func callAsFunction(_ row: JSONObject, at time: Int64) -> JSONValue {
    if let field { return field.value(in: row) ?? .null }
    return compiled.evaluate(row, timestamp: time)
  }

  /// Whether it is true for a row of a moment.
  func isTrue(_ row: JSONObject, at time: Int64) -> Bool { compiled.isTrue(row, timestamp: time) }
}

extension [RowExpression] {
  /// The place of an expression, which is put in where there was none like it.
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

/// By what rows are grouped: the value of one expression, or the list of several ones' values.
final class RowKey: Sendable {
  private let first: RowExpression
  private let rest: [RowExpression]

  /// Nil for no expression.
  init?(_ columns: [RowColumn]) {
    guard let first = columns.first else { return nil }
    self.first = first.value
    rest = columns.dropFirst().map(\.value)
  }

  func callAsFunction(_ row: JSONObject, at time: Int64) -> JSONValue {
    let value = first(row, at: time)
    return rest.isEmpty ? value : .array([value] + rest.map { $0(row, at: time) })
  }
}
