internal import AgentJSON

/// `named… by …`, ready to run: what is taken from each row and how an output row is made of it.
struct SelectPlan: Sendable {
  /// A member of the output row: an expression over the groups' values and the aggregations that
  /// it is made of, by their numbers.
  struct Column: Sendable {
    let name: String
    let expression: CompiledExpression
    let uses: [Int]
    /// Whether the column is its one aggregation and nothing else.
    let isBare: Bool
  }

  let groups: [RowColumn]
  var aggregations: [Aggregation] = []
  var columns: [Column] = []

  /// The output row of a group.
  func row(at moment: Int64, key: JSONValue, results: [AggregationResult]) -> JSONObject {
    var row = JSONObject()
    row["timestamp"] = JSONValue(moment)
    write(key, into: &row)
    let operands = row
    for column in columns {
      row[column.name] =
        column.isBare
        ? results[column.uses[0]].value
        : column.expression.evaluate(
          operands, timestamp: moment, aggregates: column.uses.map { results[$0].value })
    }
    return row
  }

  private func write(_ key: JSONValue, into row: inout JSONObject) {
    if groups.count == 1 {
      row[groups[0].name] = key
    } else if case .array(let values) = key {
      for (group, value) in zip(groups, values) { row[group.name] = value }
    }
  }

  /// The names of the columns that are estimates.
  func sketches(in results: [AggregationResult]) -> [String] {
    guard results.contains(where: \.isSketch) else { return [] }
    return columns.filter { $0.uses.contains { results[$0].isSketch } }.map(\.name)
  }
}
