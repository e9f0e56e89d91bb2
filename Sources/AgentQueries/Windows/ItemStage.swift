internal import AgentJSON

/// Aggregations by groups with a window or an output counted in rows: `over last 10 items`, `every
/// item`. Each group counts its own rows in their order.
final class ItemStage: Stage {
  /// The rows of a group's result.
  enum Window: Sendable {
    /// The rows since the group's previous output.
    case sinceOutput
    /// The last rows.
    case items(Int64)
    /// The rows of a length of time up to the latest row: (latest − length, latest].
    case last(Int64)
    /// The rows since the beginning of the latest row's unit.
    case current(TimeGrid)
    /// All rows.
    case all

    /// Returns the time when all rows up to `latest` have left the window. Nil means never.
    func end(after latest: Int64) -> Int64? {
      switch self {
      case .last(let length): latest + length
      case .current(let unit): unit.next(after: latest)
      case .sinceOutput, .items, .all: nil
      }
    }
  }

  /// The times of outputs.
  enum Output: Sendable {
    /// The group of a row, after every n rows of the group.
    case items(UInt64)
    /// All groups, at the moments of a grid.
    case grid(TimeGrid)
    /// All groups, once, when the input ends.
    case atTheEnd
  }

  private final class Group {
    let key: JSONValue
    var rows = PaneQueue()
    var count: UInt64 = 0
    var latest = Int64.min
    /// The key of the newest pane. It is later than `latest` if a row was ahead of the clock.
    var newest = Int64.min

    init(key: JSONValue) {
      self.key = key
    }
  }

  private let plan: SelectPlan
  private let window: Window
  private let output: Output
  private let table: SlotTable
  private var groups: GroupTable<Group>
  private var nextOutput: Int64?
  /// The time of the next sweep for groups outside of their window. Nil means that there is no
  /// group.
  private var nextSweep: Int64?
  /// The number of groups that may have become empty since the last sweep.
  private var emptied = 0
  private var inputIsEstimate = false

  /// The number of empty groups that causes a sweep.
  private static let sweepCount = 1_024
  /// The shortest time between two sweeps in milliseconds, because a sweep reads all groups.
  private static let sweepPause: Int64 = 1_000

  init(
    plan: SelectPlan, window: Window, output: Output, next: Stage?, context: StageContext
  ) {
    self.plan = plan
    self.window = window
    self.output = output
    table = SlotTable(plan.aggregations, context)
    groups = GroupTable(by: RowKey(plan.groups), context: context) { Group(key: $0) }
    super.init("items", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    guard let group = groups.group(of: row, at: time) else {
      context.losses.groups += 1
      return
    }
    table.read(row, at: time)
    add(at: time.clamped, to: group)
    if case .items(let every) = output, group.count % every == 0 { put(out: group, at: time) }
    awaitSweep(of: group)
  }

  private func add(at time: Int64, to group: Group) {
    group.count += 1
    // A row ahead of the clock doesn't remove the rows that come after it.
    group.latest = max(group.latest, context.arrival(of: time))
    let stamp = RowStamp(time: time, sequence: rowNumber)
    let (key, start) = place(of: time, in: group)
    guard key >= start else {
      context.losses.late += 1
      return
    }
    if key < group.newest, isByTime {
      group.rows.addLate(at: stamp, key: key, in: table)
    } else {
      let slot = table.take()
      table.add(at: stamp, to: slot)
      group.rows.close(slot, key: key, in: table)
    }
    group.newest = max(group.newest, key)
    group.rows.drop(before: start, in: table)
  }

  private var isByTime: Bool {
    switch window {
    case .last, .current: true
    case .sinceOutput, .items, .all: false
    }
  }

  /// Returns the pane of a row, and the first pane that is still in the window.
  private func place(of time: Int64, in group: Group) -> (key: Int64, start: Int64) {
    switch window {
    case .sinceOutput, .all: (.min, .min)
    case .items(let count):
      (Int64(clamping: group.count), Int64(clamping: group.count) - count + 1)
    case .last(let length): (time, group.latest - length + 1)
    case .current(let unit): (unit.floor(time), unit.floor(group.latest))
    }
  }

  private func put(out group: Group, at time: Int64) {
    var mark = BatchMark(time: time)
    send(row(of: group, at: time, in: &mark), at: time)
    next?.endBatch(mark)
    if case .sinceOutput = window {
      group.rows.clear(in: table)
      emptied += 1
      if emptied >= max(Self.sweepCount, groups.all.count) { forgetEmptied() }
    }
  }

  /// Removes groups whose rows have all gone out. Such a group counts from 0 again, like a new one.
  private func forgetEmptied() {
    emptied = 0
    groups.expire(where: \.rows.isEmpty, key: \.key)
  }

  private func row(of group: Group, at moment: Int64, in mark: inout BatchMark) -> JSONObject {
    let panes = table.needsPanes ? group.rows.panes : []
    let results = table.results(totals: group.rows.totals, panes: panes)
    let names = inputIsEstimate ? plan.columns.map(\.name) : plan.sketches(in: results)
    for name in names where !mark.sketches.contains(name) { mark.sketches.append(name) }
    return plan.row(at: moment, key: group.key, results: results, context.meter)
  }

  override func endBatch(_ mark: BatchMark) {
    if !mark.sketches.isEmpty { inputIsEstimate = true }
  }

  override func advance(to time: Int64) {
    if case .grid(let grid) = output {
      var moment = nextOutput ?? grid.next(after: max(time, context.beginning))
      if moment <= time {
        // Only rows change the window, so one output stands for all that were due.
        putAll(at: grid.floor(time))
        moment = grid.next(after: time)
      }
      nextOutput = moment
      context.wake(at: moment)
    }
    if let moment = nextSweep, moment <= time { sweep(at: time) }
    if let nextSweep { context.wake(at: nextSweep) }
    next?.advance(to: time)
  }

  // MARK: Groups that nothing is left of

  private func awaitSweep(of group: Group) {
    guard groups.isGrouped, nextSweep == nil, let end = window.end(after: group.latest) else {
      return
    }
    nextSweep = end
    context.wake(at: end)
  }

  /// Removes the groups without rows in their window.
  private func sweep(at time: Int64) {
    func isOver(_ group: Group) -> Bool {
      window.end(after: max(group.latest, group.newest)).map { $0 <= time } ?? false
    }
    for group in groups.all where isOver(group) { group.rows.clear(in: table) }
    groups.expire(where: isOver, key: \.key)
    let first = groups.all.lazy.compactMap { self.window.end(after: $0.latest) }.min()
    // A sweep reads all groups, so the next one waits at least for the pause.
    nextSweep = first.map { max($0, time + Self.sweepPause) }
  }

  private func putAll(at moment: Int64) {
    var mark = BatchMark(time: moment)
    var any = false
    for group in groups.all where group.count > 0 || !groups.isGrouped {
      send(row(of: group, at: moment, in: &mark), at: moment - 1)
      any = true
    }
    if any { next?.endBatch(mark) }
    next?.advance(to: moment)
  }

  override func finish(at time: Int64) {
    if case .atTheEnd = output { putAll(at: time) }
    next?.finish(at: time)
  }

  override func measure(_ statistics: inout StageStatistics) {
    statistics.groups = groups.all.count
    for group in groups.all {
      statistics.panes += group.rows.count
      statistics.bytes += table.bytes(of: group.rows.panes + group.rows.totals) + 160
    }
  }
}
