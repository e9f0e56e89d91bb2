internal import AgentJSON

/// Compiles a query's pipes to steps. Names are resolved, constants are checked, and expressions
/// are compiled.
struct PlanCompiler {
  let query: Query
  let calendar: QueryCalendar

  /// The maximum number of pipes of a query. A row passes through them in nested calls, so the
  /// stack limits them.
  private static let pipeLimit = 200

  func stages(_ pipes: [PipeTree]) throws(QueryError) -> [StagePlan] {
    if let last = pipes.last, pipes.reduce(0, { $0 + $1.size }) > Self.pipeLimit {
      throw query.error(
        .limit, "A query has at most \(Self.pipeLimit) pipes; this one has more.", at: last.range)
    }
    var plans: [StagePlan] = []
    for pipe in pipes {
      var plan = try stage(pipe)
      plan.notes += notes(on: pipe, among: plans.columns)
      plans.append(plan)
    }
    return plans
  }

  private func stage(_ pipe: PipeTree) throws(QueryError) -> StagePlan {
    switch pipe.kind {
    case .select(let tree): return try select(tree, at: pipe.range)
    case .filter(let condition): return try filter(condition)
    case .sort(let keys): return try sort(keys)
    case .top(let count, keys: let keys, by: let by): return try top(count, keys: keys, by: by)
    case .yield(let expression): return try yield(expression)
    case .set(let columns): return try set(columns)
    case .latest:
      return StagePlan(summary: "latest", reach: .unbounded) {
        LatestStage(next: $0, context: $1)
      }
    case .throttle(let count, let period, let by):
      return try throttle(count, period: period, by: by, at: pipe.range)
    case .debounce(let period, let by): return try debounce(period, by, at: pipe.range)
    case .combine(let tree): return try combine(tree, at: pipe.range)
    }
  }

  private func filter(_ tree: ExpressionTree) throws(QueryError) -> StagePlan {
    let condition = try expression(tree)
    return StagePlan(summary: "filter") { FilterStage(condition, next: $0, context: $1) }
  }

  private func sort(_ keys: [SortKey]) throws(QueryError) -> StagePlan {
    let order = try order(keys)
    return StagePlan(summary: "sort") { SortStage(order, next: $0, context: $1) }
  }

  private func top(
    _ count: Int, keys: [SortKey], by: [ColumnTree]
  ) throws(QueryError) -> StagePlan {
    let order = try order(keys)
    let key = try key(by)
    return StagePlan(summary: "top \(count)") {
      SortStage(order, count: count, by: key, next: $0, context: $1)
    }
  }

  private func order(_ keys: [SortKey]) throws(QueryError) -> RowOrder {
    var values: [(value: RowExpression, isDescending: Bool)] = []
    for key in keys { values.append((try expression(key.expression), key.isDescending)) }
    return RowOrder(keys: values)
  }

  private func yield(_ tree: ExpressionTree?) throws(QueryError) -> StagePlan {
    let value = try tree.map { tree throws(QueryError) in try expression(tree) }
    return StagePlan(summary: "yield", columns: .unknown) { next, context in
      MapStage(
        "yield",
        { row in
          value.map { $0(row.object, at: row.timestamp, row.meter).object }
            ?? Self.first(row.object)
        },
        next: next, context: context)
    }
  }

  /// Returns the first value of a row, except `timestamp`.
  private static func first(_ row: JSONObject) -> JSONObject? {
    row.first { $0.key != "timestamp" }?.value.object
  }

  private func set(_ columns: [ColumnTree]) throws(QueryError) -> StagePlan {
    let columns = try self.columns(columns)
    let names = columns.map(\.name)
    return StagePlan(summary: "set \(names.joined(separator: ", "))", columns: .more(names)) {
      next, context in
      MapStage(
        "set", { Self.row($0.object, with: columns, of: $0) }, next: next, context: context)
    }
  }

  /// Returns `row` with columns computed from `source`.
  static func row(
    _ row: JSONObject, with columns: [RowColumn], of source: EvaluationRow
  ) -> JSONObject {
    var row = row
    for column in columns {
      row[column.name] = column.value(source.object, at: source.timestamp, source.meter)
    }
    return row
  }

  private func throttle(
    _ count: Int, period: QueryPeriod, by: [ColumnTree], at range: QueryRange
  ) throws(QueryError) -> StagePlan {
    let length = try length(period, at: range)
    let key = try key(by)
    return StagePlan(summary: "throttle \(count) in \(period)", looksAtTime: true) {
      ThrottleStage(count, in: length, by: key, next: $0, context: $1)
    }
  }

  private func debounce(
    _ period: QueryPeriod, _ by: [ColumnTree], at range: QueryRange
  ) throws(QueryError) -> StagePlan {
    let length = try length(period, at: range)
    let key = try key(by)
    return StagePlan(
      summary: "debounce \(period)", looksAtTime: true, reach: .since { $0.clamped - length }
    ) {
      DebounceStage(length, by: key, next: $0, context: $1)
    }
  }

  private func length(_ period: QueryPeriod, at range: QueryRange) throws(QueryError) -> Int64 {
    if let length = period.milliseconds { return Int64(length) }
    throw query.error(
      .unsupported, "Months and years differ in length: write the time in days here.", at: range)
  }

  func columns(_ trees: [ColumnTree]) throws(QueryError) -> [RowColumn] {
    var columns: [RowColumn] = []
    for tree in trees {
      columns.append(RowColumn(name: tree.name, value: try expression(tree.expression)))
    }
    return columns
  }

  private func key(_ trees: [ColumnTree]) throws(QueryError) -> RowKey? {
    RowKey(try columns(trees))
  }

  /// Compiles an expression over single rows.
  func expression(_ tree: ExpressionTree) throws(QueryError) -> RowExpression {
    guard let place = tree.firstAggregation else { return try RowExpression(tree, in: query) }
    throw query.error(
      .unsupported,
      "An aggregation isn't allowed here. Put it into its own pipe before this one: "
        + "… => count() as n every minute => @filter n > 5.", at: place)
  }
}

extension PipeTree {
  /// The number of its pipes.
  fileprivate var size: Int {
    guard case .combine(let tree) = kind else { return 1 }
    return tree.branches.reduce(1) { $0 + $1.reduce(0) { $0 + $1.size } }
  }
}
