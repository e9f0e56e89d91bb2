internal import AgentJSON

/// `@debounce`: a row, once none of its group has followed it for so long.
final class DebounceStage: Stage {
  private struct Waiting {
    let row: JSONObject
    let time: Int64
    let due: Int64
    let number: UInt64
  }

  private let length: Int64
  private let key: RowKey?
  private var waiting: [JSONValue: Waiting] = [:]

  init(_ length: Int64, by key: RowKey?, next: Stage?, context: StageContext) {
    self.length = length
    self.key = key
    super.init("debounce", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    let group = key?(row, at: time) ?? .null
    if let last = waiting[group] {
      // One that comes late has been followed already.
      guard time >= last.time else { return }
      if last.due <= time { release(last) }
    }
    waiting[group] = Waiting(row: row, time: time, due: time + length, number: rowNumber)
    context.wake(at: time + length)
  }

  override func advance(to time: Int64) {
    release { $0.due <= time }
    if let due = waiting.values.lazy.map(\.due).min() { context.wake(at: due) }
    next?.advance(to: time)
  }

  override func finish(at time: Int64) {
    release { _ in true }
    next?.finish(at: time)
  }

  private func release(where condition: (Waiting) -> Bool) {
    let ready = waiting.filter { condition($0.value) }
    for (group, _) in ready { waiting[group] = nil }
    for (_, row) in ready.sorted(by: {
      ($0.value.due, $0.value.number) < ($1.value.due, $1.value.number)
    }) {
      release(row)
    }
  }

  private func release(_ waiting: Waiting) {
    send(waiting.row, at: waiting.due)
    next?.endBatch(BatchMark(time: waiting.due))
  }

  override func endBatch(_ mark: BatchMark) {}

  override func measure(_ figures: inout StageFigures) {
    figures.groups = waiting.count
    figures.bytes = waiting.count * 128
  }
}
