internal import AgentJSON

/// `@throttle`: at most so many rows in any time of that length, by group.
final class ThrottleStage: Stage {
  private let count: Int
  private let length: Int64
  private let key: RowKey?
  /// When the last rows went on, of each group.
  private var sent: [JSONValue: [Int64]] = [:]
  private var sweepAt = 1_024

  init(
    _ count: Int, in length: Int64, by key: RowKey?, next: Stage?, context: StageContext
  ) {
    self.count = count
    self.length = length
    self.key = key
    super.init("throttle", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    let group = key?(row, at: time) ?? .null
    var times = sent[group] ?? []
    // A row that comes late counts as one of the moment of the last: time doesn't go back.
    let moment = max(time, times.last ?? time)
    times.removeAll { $0 <= moment - length }
    if times.count < count {
      times.append(moment)
      send(row, at: time)
    }
    sent[group] = times
    if sent.count >= sweepAt { sweep(moment) }
  }

  // At twice the size that was left last time, so that the cost a row stays constant.
  private func sweep(_ moment: Int64) {
    sent = sent.filter { ($0.value.last ?? .min) > moment - length }
    sweepAt = max(1_024, sent.count * 2)
  }

  override func measure(_ figures: inout StageFigures) {
    figures.groups = sent.count
    figures.bytes = sent.values.reduce(0) { $0 + 64 + $1.capacity * 8 }
  }
}
