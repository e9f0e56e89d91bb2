internal import AgentJSON

/// The end of a query's steps: rows become messages.
final class OutputStage: Stage {
  private var rows: [JSONObject] = []
  private var messages: [QueryMessage] = []
  /// What is held of rows that came while time moved on: then there may be many.
  private var bytes = 0

  init(context: StageContext) {
    super.init("output", next: nil, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    rows.append(row)
    guard context.isAdvancing else { return }
    let size = row.heldBytes
    bytes += size
    context.memory.add(size)
  }

  override func endBatch(_ mark: BatchMark) {
    guard !rows.isEmpty else { return }
    defer { rows = [] }
    guard mark.time > context.silentThrough else { return }
    let batch = QueryBatch(time: mark.time, rows: rows, sketches: mark.sketches)
    messages.append(.event(batch))
  }

  /// What was made since the last call.
  func drain() -> [QueryMessage] {
    guard !messages.isEmpty || bytes > 0 else { return [] }
    context.memory.add(-bytes)
    bytes = 0
    defer { messages = [] }
    return messages
  }

  override func allFigures() -> [StageFigures] { [] }
}
