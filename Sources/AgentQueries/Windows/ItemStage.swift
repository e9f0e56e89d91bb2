internal import AgentJSON

/// Aggregations by groups where a window or its output is counted in rows: `over last 10 items`,
/// `every item`. Each group counts its own rows, in the order in which they come.
final class ItemStage: Stage {
  /// Which rows a group's result is made of.
  enum Window: Sendable {
    /// Those since the group's output before.
    case sinceOutput
    /// The last ones.
    case items(Int64)
    /// Those of the time up to the latest row: (latest − length, latest].
    case last(Int64)
    /// Those since the unit began that the latest row lies in.
    case current(TimeGrid)
    /// All.
    case all
  }

  /// When rows go out.
  enum Output: Sendable {
    /// Of a group, with each so many-th row of it.
    case items(UInt64)
    /// Of all groups, at the moments of a grid.
    case grid(TimeGrid)
    /// Of all groups, once, when the input ends.
    case atTheEnd
  }

  private final class Group {
    let key: JSONValue
    var rows = PaneQueue()
    var count: UInt64 = 0
    var latest = Int64.min

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
  private var inputIsEstimate = false

  init(
    _ plan: SelectPlan, _ window: Window, _ output: Output, next: Stage?, context: StageContext
  ) {
    self.plan = plan
    self.window = window
    self.output = output
    table = SlotTable(plan.aggregations)
    groups = GroupTable(by: RowKey(plan.groups), limit: context.limits.groups) { Group(key: $0) }
    super.init("items", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    guard let group = groups.group(of: row, at: time) else {
      context.losses.groups += 1
      return
    }
    guard time <= context.now.clamped + context.limits.future else {
      context.losses.future += 1
      return
    }
    table.read(row, at: time)
    add(at: time.clamped, to: group)
    if case .items(let every) = output, group.count % every == 0 { put(out: group, at: time) }
  }

  private func add(at time: Int64, to group: Group) {
    group.count += 1
    group.latest = max(group.latest, time)
    let stamp = RowStamp(time: time, sequence: rowNumber)
    let (key, start) = place(of: time, in: group)
    guard key >= start else {
      context.losses.late += 1
      return
    }
    if key < group.latest, case .last = window {
      group.rows.addLate(at: stamp, key: key, in: table)
    } else {
      let slot = table.take()
      table.add(at: stamp, to: slot)
      group.rows.close(slot, key: key, in: table)
    }
    group.rows.drop(before: start, in: table)
  }

  /// The pane of a row, and the first pane that is still in the window.
  private func place(of time: Int64, in group: Group) -> (key: Int64, start: Int64) {
    switch window {
    case .sinceOutput, .all: (.min, .min)
    case .items(let count): (Int64(group.count), Int64(group.count) - count + 1)
    case .last(let length): (time, group.latest - length + 1)
    case .current(let unit): (unit.floor(time), unit.floor(group.latest))
    }
  }

  private func put(out group: Group, at time: Int64) {
    var mark = BatchMark(time: time)
    send(row(of: group, at: time, in: &mark), at: time)
    next?.endBatch(mark)
    if case .sinceOutput = window { group.rows.clear(in: table) }
  }

  private func row(of group: Group, at moment: Int64, in mark: inout BatchMark) -> JSONObject {
    let panes = table.needsPanes ? group.rows.panes : []
    let results = table.results(totals: group.rows.totals, panes: panes)
    let names = inputIsEstimate ? plan.columns.map(\.name) : plan.sketches(in: results)
    for name in names where !mark.sketches.contains(name) { mark.sketches.append(name) }
    return plan.row(at: moment, key: group.key, results: results)
  }

  override func endBatch(_ mark: BatchMark) {
    if !mark.sketches.isEmpty { inputIsEstimate = true }
  }

  override func advance(to time: Int64) {
    if case .grid(let grid) = output {
      var moment = nextOutput ?? grid.next(after: max(time, context.beginning))
      if moment <= time {
        // What is in the window changes with rows only: one output stands for all that were due.
        putAll(at: grid.floor(time))
        moment = grid.next(after: time)
      }
      nextOutput = moment
      context.wake(at: moment)
    }
    next?.advance(to: time)
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

  override func measure(_ figures: inout StageFigures) {
    figures.groups = groups.all.count
    for group in groups.all {
      figures.panes += group.rows.count
      figures.bytes += table.bytes(of: group.rows.panes + group.rows.totals) + 160
    }
  }
}
