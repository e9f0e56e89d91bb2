internal import AgentJSON

/// The last step of a query. It makes messages of rows.
final class OutputStage: Stage {
  private var rows: [JSONObject] = []
  private var messages: [QueryMessage] = []
  /// The size of the rows of one advance of time. There may be many.
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
    // The run before has sent these outputs. They are computed again only to fill the windows.
    guard mark.time > context.silentThrough else { return }
    let batch = QueryBatch(time: mark.time, rows: rows, sketches: mark.sketches)
    messages.append(.event(batch))
  }

  /// Returns the messages since the last call.
  func drain() -> [QueryMessage] {
    guard !messages.isEmpty || bytes > 0 else { return [] }
    context.memory.add(-bytes)
    bytes = 0
    defer { messages = [] }
    return messages
  }

  override func allFigures() -> [StageFigures] { [] }
}
