internal import AgentJSON

/// The last step of a query. It makes messages of rows.
final class OutputStage: Stage {
  private var rows: [JSONObject] = []
  private var messages: [QueryMessage] = []
  /// The size of the rows of one advance of time. There may be many.
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
  /// that it takes too much work.
  ///
  /// Rationale: columns may share one long text, so the row needs little memory. Its JSON doesn't.
  private func bounded(_ row: JSONObject) -> JSONObject? {
    var space = context.limits.rowBytes
    for (_, value) in row {
      switch value {
      case .null, .bool: continue
      case .number(let number) where !number.isKeptAsText: continue
      // Most texts are short, so this doesn't call for each of them.
      case .string(let text): space -= text.utf8.count
      case .number, .array, .object: value.fits(in: &space)
      }
    }
    guard context.meter.spend(context.limits.rowBytes - max(0, space)) else { return nil }
    guard space < 0 else { return row }
    context.losses.bytes += 1
    return cut(row)
  }

  private func cut(_ row: JSONObject) -> JSONObject {
    var (row, space) = (row, context.limits.rowBytes)
    for name in row.keys {
      guard let value = row[name], !value.isSmall else { continue }
      var rest = space
      // A column that is too long leaves the space to the shorter ones after it.
      if value.fits(in: &rest) { space = rest } else { row[name] = .null }
    }
    return row
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

  override func allStatistics() -> [StageStatistics] { [] }
}
