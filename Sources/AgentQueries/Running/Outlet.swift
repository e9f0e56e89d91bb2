internal import AgentJSON

/// The end of a query's steps: rows become messages.
final class Outlet: Stage {
  private var rows: [JSONObject] = []
  private var messages: [QueryMessage] = []

  init(context: StageContext) {
    super.init("output", next: nil, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) { rows.append(row) }

  override func endBatch(_ mark: BatchMark) {
    guard !rows.isEmpty else { return }
    let batch = QueryBatch(time: mark.time, rows: rows, sketches: mark.sketches)
    messages.append(.event(batch))
    rows = []
  }

  /// What was made since the last call.
  func drain() -> [QueryMessage] {
    guard !messages.isEmpty else { return [] }
    defer { messages = [] }
    return messages
  }

  override func allFigures() -> [StageFigures] { [] }
}
