internal import AgentJSON

extension PlanCompiler {
  /// `named… by … over … every …`
  func select(_ tree: SelectTree, at range: QueryRange) throws(QueryError) -> StagePlan {
    var plan = SelectPlan(groups: try columns(tree.groups))
    for column in tree.columns { plan.columns.append(try self.column(column, &plan.aggregations)) }
    if plan.aggregations.isEmpty { return try rows(tree, at: range) }
    return try window(plan, tree, at: range)
  }

  private func column(
    _ tree: ColumnTree, _ aggregations: inout [Aggregation]
  ) throws(QueryError) -> SelectPlan.Column {
    let expression = try CompiledExpression(tree.expression, in: query)
    var uses: [Int] = []
    for aggregation in expression.aggregations {
      uses.append(try place(of: aggregation, in: &aggregations, at: tree.range))
    }
    var isBare = false
    if case .aggregation = tree.expression.kind { isBare = true }
    return SelectPlan.Column(
      name: tree.name, expression: expression, uses: uses, isBare: isBare)
  }

  /// Returns the number of an aggregation. Equal ones are computed once.
  private func place(
    of tree: AggregationTree, in aggregations: inout [Aggregation], at range: QueryRange
  ) throws(QueryError) -> Int {
    if let place = aggregations.firstIndex(where: { $0.tree.isSame(as: tree) }) { return place }
    aggregations.append(try aggregation(tree, at: range))
    return aggregations.count - 1
  }

  private func aggregation(
    _ tree: AggregationTree, at range: QueryRange
  ) throws(QueryError) -> Aggregation {
    Aggregation(
      tree: tree,
      argument: try tree.arguments.first.map { tree throws(QueryError) in try expression(tree) },
      condition: try tree.condition.map { tree throws(QueryError) in try expression(tree) },
      share: try share(tree, at: range))
  }

  /// Returns the share of a percentile.
  private func share(_ tree: AggregationTree, at range: QueryRange) throws(QueryError) -> Double {
    guard tree.name == .percentile else { return 0.5 }
    guard let percent = tree.arguments.last,
      let number = try CompiledExpression(percent, in: query).constant?.double,
      (0...100).contains(number)
    else {
      throw query.error(
        .type,
        "The second argument of percentile must be a number from 0 to 100: percentile(x, 95).",
        at: tree.arguments.last?.range ?? range)
    }
    return number / 100
  }

  /// Plans a selection without aggregations, which makes one row of each row.
  private func rows(_ tree: SelectTree, at range: QueryRange) throws(QueryError) -> StagePlan {
    // `every item` is the default here.
    let output = tree.output?.kind == .everyItems(1) ? nil : tree.output
    if let place = tree.window?.range ?? output?.range {
      throw query.error(
        .unsupported,
        "“over” and “every” need an aggregation, such as count() or last(field); this pipe has "
          + "none.", at: place)
    }
    let columns = try self.columns(tree.groups + tree.columns)
    return StagePlan(summary: "select", columns: .only(["timestamp"] + columns.map(\.name))) {
      next, context in
      MapStage(
        "select", { Self.selected($0, columns: columns) }, next: next,
        context: context)
    }
  }

  private static func selected(
    _ source: EvaluationRow, columns: [RowColumn]
  ) -> JSONObject {
    var row = JSONObject()
    row["timestamp"] = source.object["timestamp"] ?? JSONValue(source.timestamp)
    return Self.row(row, with: columns, of: source)
  }
}
