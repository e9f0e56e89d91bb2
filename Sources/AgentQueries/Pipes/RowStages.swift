internal import AgentJSON

/// `@filter`: passes the rows for which a condition is true.
final class FilterStage: Stage {
  private let condition: RowExpression

  init(_ condition: RowExpression, next: Stage?, context: StageContext) {
    self.condition = condition
    super.init("filter", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    if condition.isTrue(row, at: time, context.meter) { send(row, at: time) }
  }
}

/// Makes one row of each row: a selection without aggregations, `@yield` and `@set`.
final class MapStage: Stage {
  typealias Transform = @Sendable (EvaluationRow) -> JSONObject?
  private let transform: Transform

  init(
    _ name: String, _ transform: @escaping Transform, next: Stage?, context: StageContext
  ) {
    self.transform = transform
    super.init(name, next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    let source = EvaluationRow(
      object: row, timestamp: time, aggregates: [], meter: context.meter)
    if let row = transform(source) { send(row, at: time) }
  }
}

/// `@latest`: the last batch, when the input ends.
final class LatestStage: Stage {
  private var batch: [(row: JSONObject, time: Int64)] = []
  private var latest: [(row: JSONObject, time: Int64)] = []
  private var mark: BatchMark?
  private var batchBytes = 0
  private var latestBytes = 0

  init(next: Stage?, context: StageContext) {
    super.init("latest", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    batch.append((row, time))
    hold(row, in: &batchBytes)
  }

  override func endBatch(_ mark: BatchMark) {
    guard !batch.isEmpty else { return }
    self.mark = mark
    swap(&latest, &batch)
    release(&latestBytes)
    swap(&latestBytes, &batchBytes)
    batch.removeAll(keepingCapacity: true)
  }

  override func finish(at time: Int64) {
    for (row, time) in latest { send(row, at: time) }
    if let mark { next?.endBatch(mark) }
    (latest, mark) = ([], nil)
    next?.finish(at: time)
  }
}
