internal import AgentJSON

/// A selection `named… by …` that is ready to run: the input from each row, and the output rows.
struct SelectPlan: Sendable {
  /// A member of the output row: an expression over the groups' values and over aggregations, by
  /// their numbers.
  struct Column: Sendable {
    let name: String
    let expression: CompiledExpression
    let uses: [Int]
    /// Whether the column is exactly one aggregation.
    let isBare: Bool
  }

  let groups: [RowColumn]
  var aggregations: [Aggregation] = []
  var columns: [Column] = []

  /// Returns the output row of a group.
  func row(
    at moment: Int64, key: JSONValue, results: [AggregationResult], _ meter: WorkMeter
  ) -> JSONObject {
    var row = JSONObject()
    row["timestamp"] = JSONValue(moment)
    write(key, into: &row)
    let operands = row
    for column in columns {
      row[column.name] =
        column.isBare
        ? results[column.uses[0]].value
        : column.expression.evaluate(
          operands, timestamp: moment, aggregates: column.uses.map { results[$0].value }, meter)
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

  /// Returns the names of the columns with estimates.
  func sketches(in results: [AggregationResult]) -> [String] {
    guard results.contains(where: \.isSketch) else { return [] }
    return columns.filter { $0.uses.contains { results[$0].isSketch } }.map(\.name)
  }
}
