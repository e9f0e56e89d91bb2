internal import AgentJSON

/// `@debounce`: passes a row once no row of its group has followed for the given period.
final class DebounceStage: Stage {
  private struct Waiting {
    let row: JSONObject
    let time: Int64
    let due: Int64
    let number: UInt64
    let bytes: Int
  }

  private let length: Int64
  private let key: RowKey?
  private var waiting: [JSONValue: Waiting] = [:]
  /// The due times of the groups. A group whose row was followed has several entries.
  private var queue = DueQueue<JSONValue>()
  /// Rows that no row followed in time, although their group has a newer row now. They are found by
  /// their numbers and sent when they are due, so that all rows go out in that order.
  private var settled: [UInt64: Waiting] = [:]

  init(_ length: Int64, by key: RowKey?, next: Stage?, context: StageContext) {
    self.length = length
    self.key = key
    super.init("debounce", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    let group = key?(row, at: time, context.meter) ?? .null
    // A row ahead of the clock counts as one of now. Otherwise it would hold back the rows after
    // it.
    let moment = context.arrival(of: time)
    if let last = waiting[group] {
      // A late row was followed already.
      guard moment >= last.time else { return }
      if last.due <= moment {
        // That row is due already, but the time hasn't been reported yet. It still goes out.
        settled[last.number] = last
      } else {
        context.memory.add(-last.bytes)
      }
    } else if waiting.count >= context.limits.groups {
      context.losses.groups += 1
      return
    }
    let due = moment + length
    let bytes = 160 + row.heldBytes + group.heldBytes
    context.memory.add(bytes)
    waiting[group] = Waiting(row: row, time: moment, due: due, number: rowNumber, bytes: bytes)
    queue.insert(group, due: due, number: rowNumber)
    dropExpired()
    context.wake(at: due)
  }

  /// Removes entries of no use. There are many if the rows of a group follow one another all the
  /// time.
  private func dropExpired() {
    guard queue.count > 2 * (waiting.count + settled.count) + 1_024 else { return }
    queue.keep { waiting[$0.element]?.number == $0.number || settled[$0.number] != nil }
  }

  override func advance(to time: Int64) {
    release(to: time)
    if let due = queue.first?.due { context.wake(at: due) }
    next?.advance(to: time)
  }

  override func finish(at time: Int64) {
    release(to: .max)
    next?.finish(at: time)
  }

  private func release(to moment: Int64) {
    while let entry = queue.first, entry.due <= moment {
      _ = queue.popFirst()
      guard let row = take(entry.element, entry.number) else { continue }
      context.memory.add(-row.bytes)
      release(row)
    }
  }

  private func take(_ group: JSONValue, _ number: UInt64) -> Waiting? {
    if let row = settled.removeValue(forKey: number) { return row }
    guard waiting[group]?.number == number else { return nil }
    return waiting.removeValue(forKey: group)
  }

  private func release(_ waiting: Waiting) {
    send(waiting.row, at: waiting.due)
    next?.endBatch(BatchMark(time: waiting.due))
  }

  override func endBatch(_ mark: BatchMark) {}

  override func measure(_ statistics: inout StageStatistics) {
    statistics.groups = waiting.count
    statistics.bytes =
      waiting.values.reduce(0) { $0 + $1.bytes } + settled.values.reduce(0) { $0 + $1.bytes }
  }
}
