internal import AgentJSON

extension PlanCompiler {
  /// Plans a window. Without `every`, rows go out at the end. Without `over`, a window reaches back
  /// to the output before, or to the beginning if there is none.
  func window(
    _ plan: SelectPlan, _ tree: SelectTree, at range: QueryRange
  ) throws(QueryError) -> StagePlan {
    try check(tree)
    switch tree.output?.kind ?? .atTheEnd {
    case .everyItems(let count):
      return items(
        plan, tree: tree, window: try itemWindow(tree),
        output: .items(UInt64(clamping: max(1, count))))
    case .every(let period):
      if case .lastItems(let count) = tree.window?.kind {
        return items(
          plan, tree: tree, window: .items(Int64(count)), output: .grid(TimeGrid(period, calendar)))
      }
      return timed(plan, tree: tree, layout: try layout(tree, every: period), output: .onGrid)
    case .atTheEnd:
      if case .lastItems(let count) = tree.window?.kind {
        return items(plan, tree: tree, window: .items(Int64(count)), output: .atTheEnd)
      }
      return timed(plan, tree: tree, layout: layoutToTheEnd(tree), output: .atTheEnd)
    }
  }

  /// Checks that a column uses only the groups outside its aggregations, and that windows have a
  /// size.
  private func check(_ tree: SelectTree) throws(QueryError) {
    if case .lastItems(let count) = tree.window?.kind, count > 1_000_000 {
      throw query.error(
        .limit, "A window holds at most 1,000,000 items of a group.",
        at: tree.window?.range ?? QueryRange(start: 0, end: 0))
    }
    let names = Set(tree.groups.map(\.name))
    for column in tree.columns {
      guard let field = column.expression.firstField(except: names) else { continue }
      throw query.error(
        .type,
        "A pipe with aggregations makes one row of many: say which value is meant, such as "
          + "last(field), or group by it.", at: field.range)
    }
  }

  private func items(
    _ plan: SelectPlan, tree: SelectTree, window: ItemStage.Window, output: ItemStage.Output
  ) -> StagePlan {
    stage(tree, reach: .unbounded) {
      ItemStage(plan: plan, window: window, output: output, next: $0, context: $1)
    }
  }

  private func timed(
    _ plan: SelectPlan, tree: SelectTree, layout: PaneLayout, output: WindowStage.Output
  ) -> StagePlan {
    stage(tree, reach: output == .onGrid ? layout.reach : .unbounded) {
      WindowStage(plan: plan, layout: layout, output: output, next: $0, context: $1)
    }
  }

  private func stage(
    _ tree: SelectTree, reach: StageReach,
    make: @escaping @Sendable (Stage?, StageContext) -> Stage
  ) -> StagePlan {
    let groups = tree.groups.map(\.name)
    var plan = StagePlan(
      summary: summary(tree), columns: .only(["timestamp"] + groups + tree.columns.map(\.name)),
      groups: groups, looksAtTime: true, reach: reach, make: make)
    if tree.output == nil {
      plan.notes.append(
        "“\(tree.columns.map(\.name).joined(separator: ", "))” has no “every”: its rows come at "
          + "the end only.")
    }
    return plan
  }

  private func summary(_ tree: SelectTree) -> String {
    let names = tree.columns.map(\.name).joined(separator: ", ")
    let groups = tree.groups.map(\.name).joined(separator: ", ")
    return [
      "window: \(names)", groups.isEmpty ? "" : "by \(groups)",
      tree.window.map { "over \(query.text.text(of: $0.range))" } ?? "",
      tree.output.map { query.text.text(of: $0.range) } ?? "at the end",
    ].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func layout(
    _ tree: SelectTree, every period: QueryPeriod
  ) throws(QueryError) -> PaneLayout {
    let grid = TimeGrid(period, calendar)
    let window: PaneLayout.Window =
      switch tree.window?.kind {
      case nil, .lastItems: .sinceOutput
      case .all: .all
      case .current(let unit): .current(TimeGrid(unit, calendar))
      case .last(let length): try last(length, every: period, at: tree)
      }
    return PaneLayout(window, every: grid, calendar: calendar)
  }

  private func last(
    _ length: QueryPeriod, every period: QueryPeriod, at tree: SelectTree
  ) throws(QueryError) -> PaneLayout.Window {
    let range = tree.window?.range ?? QueryRange(start: 0, end: 0)
    if let milliseconds = length.milliseconds {
      let step = period.milliseconds ?? period.amount * period.unit.leastMilliseconds
      guard milliseconds / step <= 1_000_000 else {
        throw query.error(
          .limit, "The window is more than 1,000,000 times its “every”: write a longer “every”.",
          at: range)
      }
      return .last(Int64(milliseconds))
    }
    guard isAligned(period) else {
      throw query.error(
        .unsupported,
        "A window of months or years needs an “every” that divides an hour, or is 1 day, 1 month "
          + "or 1 year.", at: range)
    }
    return .lastOnGrid(length)
  }

  /// Returns whether windows of whole months that end at an output begin where a period begins.
  private func isAligned(_ period: QueryPeriod) -> Bool {
    switch period.unit {
    case .day, .month, .year: period.amount == 1
    case .week: false
    case .millisecond, .second, .minute, .hour:
      period.milliseconds.map { 3_600_000 % $0 == 0 } ?? false
    }
  }

  private func layoutToTheEnd(_ tree: SelectTree) -> PaneLayout {
    let years = TimeGrid(.year, calendar)
    let milliseconds = TimeGrid(.millisecond, calendar)
    switch tree.window?.kind {
    case nil, .all, .lastItems: return PaneLayout(.all, every: years, calendar: calendar)
    case .current(let unit):
      let grid = TimeGrid(unit, calendar)
      return PaneLayout(.current(grid), every: grid, calendar: calendar)
    case .last(let length):
      // The end isn't known in advance. Panes of a millisecond make each end exact.
      let window: PaneLayout.Window =
        length.milliseconds.map { .last(Int64($0)) } ?? .lastOnGrid(length)
      return PaneLayout(window, every: milliseconds, calendar: calendar)
    }
  }

  private func itemWindow(_ tree: SelectTree) throws(QueryError) -> ItemStage.Window {
    switch tree.window?.kind {
    case nil: return .sinceOutput
    case .all: return .all
    case .lastItems(let count): return .items(Int64(count))
    case .current(let unit): return .current(TimeGrid(unit, calendar))
    case .last(let length):
      guard let milliseconds = length.milliseconds else {
        throw query.error(
          .unsupported, "With “every … items” a window can't be of months or years: write days.",
          at: tree.window?.range ?? QueryRange(start: 0, end: 0))
      }
      return .last(Int64(milliseconds))
    }
  }
}
