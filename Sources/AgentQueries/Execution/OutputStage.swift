internal import AgentJSON

/// The last step of a query. It makes messages of rows.
final class OutputStage: Stage {
  private var rows: [JSONObject] = []
  /// The size of the rows as JSON, as far as it was measured.
  private var textBytes = 0
  private var messages: [QueryMessage] = []
  /// The size of the rows of one advance of time in memory. There may be many.
  private var bytes = 0

  /// Whether the rows are events, which the log has bounded.
  private let isBounded: Bool

  init(context: StageContext, isBounded: Bool) {
    self.isBounded = isBounded
    super.init("output", next: nil, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    guard let row = isBounded ? row : bounded(row) else { return }
    rows.append(row)
    guard context.isAdvancing else { return }
    let size = row.heldBytes
    bytes += size
    context.memory.add(size)
  }

  /// Returns the row with null in place of the columns that exceed its bytes together. Nil means
  /// that it takes too much work, or that the rows of this moment have too many bytes already.
  ///
  /// Rationale: columns may share one long text, so the row needs little memory. Its JSON doesn't.
  private func bounded(_ row: JSONObject) -> JSONObject? {
    // The braces, and the comma after the row.
    var space = context.limits.rowBytes - 3
    var cut: JSONObject?
    for name in row.keys {
      space -= 1
      name.takeTextBytes(from: &space)
    }
    for (name, value) in row {
      var rest = space
      // A column that is too long leaves the space to the shorter ones after it.
      guard !value.takeTextBytes(from: &rest), !value.isSmall else {
        space = rest
        continue
      }
      if cut == nil { cut = row }
      cut?[name] = .null
      space -= 5
    }
    let size = context.limits.rowBytes - max(0, space)
    guard context.meter.spend(size) else { return nil }
    guard size <= context.limits.outputBytes - textBytes else {
      context.losses.outputs += 1
      return nil
    }
    textBytes += size
    if cut != nil { context.losses.bytes += 1 }
    return cut ?? row
  }

  override func endBatch(_ mark: BatchMark) {
    guard !rows.isEmpty else { return }
    defer { (rows, textBytes) = ([], 0) }
    // The run before has sent these outputs. They are computed again only to fill the windows.
    guard mark.time > context.silentThrough else { return }
    let batch = QueryBatch(
      time: mark.time, rows: rows, sketches: mark.sketches, textBytes: textBytes)
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

  override func allStatistics() -> [StageStatistics] { [] }
}
