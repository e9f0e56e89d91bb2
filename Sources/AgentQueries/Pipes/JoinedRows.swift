internal import AgentJSON

/// Combines each row of one chain with the rows of the others that have the same values in some
/// fields.
struct JoinedRows: Sendable {
  let branches: Int
  /// The values that must be equal. If there are none, every row is combined with every row.
  let keys: [RowExpression]

  /// Returns the joined rows of one moment. If a chain has no rows, there are none.
  func combine(_ batches: [CollectedBatch], _ context: StageContext) -> [StageRow] {
    var joined: [StageRow]?
    for branch in 0..<branches {
      let rows = batches.filter { $0.branch == branch }.flatMap(\.rows)
      joined = joined.map { join($0, with: rows, context: context) } ?? rows
    }
    let rows = joined ?? []
    if rows.count >= context.limits.joinedRows {
      context.warnings.append(
        "A join made \(rows.count) rows or more of one moment; what is beyond that was left out. "
          + "Join on fields, or over fewer groups.")
    }
    return rows
  }

  private func join(_ left: [StageRow], with right: [StageRow], context: StageContext) -> [StageRow]
  {
    let (limit, meter) = (context.limits.joinedRows, context.meter)
    var byKey: [[JSONValue]: [StageRow]] = [:]
    for row in right { byKey[key(row, meter), default: []].append(row) }
    var joined: [StageRow] = []
    for row in left {
      for other in byKey[key(row, meter)] ?? [] {
        guard joined.count < limit, meter.spend(WorkMeter.stepsOfPipe) else { return joined }
        joined.append(merged(row, other))
      }
    }
    return joined
  }

  private func key(_ row: StageRow, _ meter: WorkMeter) -> [JSONValue] {
    keys.map { key in
      let value = key(row.object, at: row.time, meter)
      return meter.spend(reading: value) ? value : .null
    }
  }

  private func merged(_ left: StageRow, _ right: StageRow) -> StageRow {
    var object = left.object
    for (name, value) in right.object where object[name] == nil { object[name] = value }
    return StageRow(object: object, time: max(left.time, right.time))
  }
}
