internal import AgentJSON

/// Aggregations by groups over a window of time, with outputs at moments.
final class WindowStage: Stage {
  /// The times of outputs.
  enum Output: Sendable {
    /// At each moment of the layout's grid.
    case onGrid
    /// Once, when the input ends.
    case atTheEnd
  }

  private let plan: SelectPlan
  private let layout: PaneLayout
  private let output: Output
  private let table: SlotTable
  private var groups: GroupTable<WindowGroup>
  /// The next moment of the grid. Nil means that there was no row and no time yet.
  private var nextOutput: Int64?
  /// Panes that end by this moment were part of an output.
  private var closedTo = Int64.min
  private var inputIsEstimate = false

  init(
    plan: SelectPlan, layout: PaneLayout, output: Output, next: Stage?,
    context: StageContext
  ) {
    self.plan = plan
    self.layout = layout
    self.output = output
    table = SlotTable(plan.aggregations, context)
    groups = GroupTable(by: RowKey(plan.groups), context: context) { WindowGroup(key: $0) }
    super.init("window", next: next, context: context)
  }

  override func process(_ row: JSONObject, at time: Int64) {
    if nextOutput == nil { begin(at: max(time, context.beginning)) }
    guard let group = groups.group(of: row, at: time) else {
      context.losses.groups += 1
      return
    }
    let stamp = RowStamp(time: time, sequence: rowNumber)
    table.read(row, at: time)
    if let slot = group.slot(of: time) {
      table.add(at: stamp, to: slot)
    } else {
      open(at: stamp, in: group)
    }
  }

  private func open(at stamp: RowStamp, in group: WindowGroup) {
    let pane = layout.pane(of: stamp.time)
    if pane.end > closedTo {
      let slot = table.take()
      table.add(at: stamp, to: slot)
      group.open(pane, slot: slot)
    } else if let nextOutput, pane.key >= layout.start(ofOutput: nextOutput) {
      group.addLate(at: stamp, key: pane.key, in: table)
    } else {
      context.losses.late += 1
    }
  }

  override func endBatch(_ mark: BatchMark) {
    // A result over estimates is an estimate too, in every column.
    if !mark.sketches.isEmpty { inputIsEstimate = true }
  }

  private func begin(at time: Int64) {
    let moment = layout.grid.next(after: time)
    nextOutput = moment
    context.wake(at: moment)
  }

  override func advance(to time: Int64) {
    if nextOutput == nil { begin(at: max(time, context.beginning)) }
    if output == .atTheEnd { dropExpired(at: time) } else { settleAll(to: time) }
    if let nextOutput { context.wake(at: nextOutput) }
    next?.advance(to: time)
  }

  /// Removes everything that has left the window. No output is made before the end.
  private func dropExpired(at time: Int64) {
    guard let moment = nextOutput, moment <= time else { return }
    settle(at: layout.grid.floor(time))
    // A sweep a second is enough to release memory. It visits every group.
    nextOutput = time + 1_000
  }

  private func settleAll(to time: Int64) {
    var (made, outOfNothing) = (0, 0)
    let rowsBefore = statistics.rowsOut
    while let moment = nextOutput, moment <= time, !context.memory.isOverdrawn {
      if isIdle {
        // Without groups an idle window still makes an output with empty values, so it counts as
        // one. Grouped windows make none and can skip at once.
        outOfNothing += groups.isGrouped ? context.limits.emptyOutputs : 1
        if outOfNothing >= context.limits.emptyOutputs, skip(to: time) { continue }
      }
      made += 1
      let isTooMuch =
        made > context.limits.outputs || statistics.rowsOut - rowsBefore > context.limits.outputRows
      if isTooMuch, skip(to: time) { continue }
      settle(at: moment)
      nextOutput = layout.grid.next(after: moment)
    }
  }

  private var isIdle: Bool { groups.all.allSatisfy(\.isEmpty) }

  /// Skips the outputs of a time without new rows.
  private func skip(to time: Int64) -> Bool {
    let last = layout.grid.floor(time)
    guard let nextOutput, last > nextOutput else { return false }
    if !groups.isGrouped || !isIdle {
      context.warnings.append(
        "Between \(nextOutput) and \(last) there was nothing new, and time moved on at once: the "
          + "outputs in between were left out.")
    }
    self.nextOutput = last
    return true
  }

  private func settle(at moment: Int64) {
    let start = layout.start(ofOutput: moment)
    for group in groups.all { group.settle(at: moment, from: start, in: table) }
    closedTo = moment
    if output == .onGrid { put(outAt: moment) }
    groups.expire(where: \.isEmpty, key: \.key)
  }

  private func put(outAt moment: Int64) {
    var mark = BatchMark(time: moment)
    var any = false
    for group in groups.all where !(group.closed.isEmpty && groups.isGrouped) {
      let results = group.results(in: table)
      note(results, in: &mark)
      // A row of a period belongs to that period. A window that ends at the same moment includes
      // it.
      let row = plan.row(at: moment, key: group.key, results: results, context.meter)
      send(row, at: moment - 1)
      any = true
    }
    if any { next?.endBatch(mark) }
    next?.advance(to: moment)
  }

  private func note(_ results: [AggregationResult], in mark: inout BatchMark) {
    let names = inputIsEstimate ? plan.columns.map(\.name) : plan.sketches(in: results)
    for name in names where !mark.sketches.contains(name) { mark.sketches.append(name) }
  }

  override func finish(at time: Int64) {
    if output == .atTheEnd {
      let start = layout.start(ofOutput: time)
      for group in groups.all { group.settle(at: .max, from: start, in: table) }
      put(outAt: time)
    }
    next?.finish(at: time)
  }

  override func measure(_ statistics: inout StageStatistics) {
    statistics.groups = groups.all.count
    for group in groups.all {
      statistics.panes += group.paneCount
      statistics.bytes += group.bytes(in: table)
    }
  }
}
