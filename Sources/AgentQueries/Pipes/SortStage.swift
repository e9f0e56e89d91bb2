internal import AgentJSON

/// The order of a batch, ready to run.
struct RowOrder: Sendable {
  let keys: [(value: RowExpression, isDescending: Bool)]

  /// Returns the rows in order. Rows with equal keys keep their order.
  func sorted(_ rows: [StageRow], _ meter: WorkMeter) -> [StageRow] {
    guard rows.count > 1 else { return rows }
    let keyed = rows.map { row in keys.map { $0.value(row.object, at: row.time, meter) } }
    // Each key is compared about as often as the number of rows has bits, in both directions.
    let comparisons = 2 * (Int.bitWidth - rows.count.leadingZeroBitCount)
    for key in keyed.joined() {
      guard meter.spend(key.steps * comparisons) else { return [] }
    }
    return rows.indices.sorted { precedes(keyed[$0], keyed[$1]) ?? ($0 < $1) }.map { rows[$0] }
  }

  /// Returns nil if all keys are equal.
  private func precedes(_ left: [JSONValue], _ right: [JSONValue]) -> Bool? {
    for (index, key) in keys.enumerated() {
      if ValueOrder.precedes(left[index], right[index]) { return !key.isDescending }
      if ValueOrder.precedes(right[index], left[index]) { return key.isDescending }
    }
    return nil
  }
}

/// A row with its time.
struct StageRow {
  let object: JSONObject
  let time: Int64
}

/// `@sort` and `@top`: passes each batch in order, or its first rows.
final class SortStage: Stage {
  private let order: RowOrder
  private let count: Int
  private let key: RowKey?
  private var batch: [StageRow] = []
  private var held = 0

  /// - Parameters:
  ///   - count: the number of rows of each group that pass.
  ///   - key: the key of the groups. Nil means that the whole batch is one group.
  init(
    _ order: RowOrder, count: Int = .max, by key: RowKey? = nil, next: Stage?,
    context: StageContext
  ) {
    self.order = order
    self.count = count
    self.key = key
    super.init(count == .max ? "sort" : "top", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    batch.append(StageRow(object: row, time: time))
    hold(row, in: &held)
  }

  override func endBatch(_ mark: BatchMark) {
    var sent: [JSONValue: Int] = [:]
    for row in order.sorted(batch, context.meter) {
      let group = key?(row.object, at: row.time, context.meter) ?? .null
      guard sent[group, default: 0] < count else { continue }
      sent[group, default: 0] += 1
      send(row.object, at: row.time)
    }
    batch.removeAll(keepingCapacity: true)
    release(&held)
    next?.endBatch(mark)
  }
}
