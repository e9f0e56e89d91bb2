internal import AgentJSON

/// `@throttle`: passes at most `count` rows of a group in any interval of the given length.
final class ThrottleStage: Stage {
  private let count: Int
  private let length: Int64
  private let key: RowKey?
  /// The times of the last passed rows of each group, the oldest first.
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
    let group = key?(row, at: time, context.meter) ?? .null
    let arrival = context.arrival(of: time)
    guard var times = times(of: group, at: arrival) else {
      context.losses.groups += 1
      return
    }
    // A late row counts at the time of the last one, because time doesn't go back. A row ahead of
    // the clock counts as one of now. Otherwise it would hold back the rows after it.
    let moment = max(arrival, times.last ?? arrival)
    let before = times.count
    if let first = times.first, first <= moment - length {
      times.removeFirst(times.firstIndex { $0 > moment - length } ?? times.count)
    }
    if times.count < count {
      times.append(moment)
      send(row, at: time)
    }
    context.memory.add((times.count - before) * 8)
    sent[group] = times
    if sent.count >= sweepAt { sweep(moment) }
  }

  /// Returns nil if the group exceeds the maximum number of groups.
  private func times(of group: JSONValue, at arrival: Int64) -> [Int64]? {
    if let times = sent[group] { return times }
    // A sweep may make space before a group is refused.
    if sent.count >= context.limits.groups { sweep(arrival) }
    guard sent.count < context.limits.groups else { return nil }
    context.memory.add(Self.size(of: group))
    return []
  }

  private static func size(of group: JSONValue) -> Int { 96 + group.heldBytes }

  // The sweep waits until the size has doubled since the last one, so that the cost for each row
  // stays constant.
  private func sweep(_ moment: Int64) {
    for (group, times) in sent where (times.last ?? .min) <= moment - length {
      context.memory.add(-Self.size(of: group) - times.count * 8)
      sent[group] = nil
    }
    sweepAt = max(1_024, sent.count * 2)
  }

  override func measure(_ statistics: inout StageStatistics) {
    statistics.groups = sent.count
    statistics.bytes = sent.values.reduce(0) { $0 + 64 + $1.capacity * 8 }
  }
}
