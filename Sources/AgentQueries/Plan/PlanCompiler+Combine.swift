internal import AgentJSON

extension PlanCompiler {
  /// `[a union b]`, `[a join on field b]`
  func combine(_ tree: CombineTree, at range: QueryRange) throws(QueryError) -> StagePlan {
    var branches: [[StagePlan]] = []
    for branch in tree.branches { branches.append(try stages(branch)) }
    switch tree.combination {
    case .union:
      return fan("union", branches: branches, columns: columns(ofUnion: branches)) { batches, _ in
        batches.flatMap(\.rows)
      }
    case .join(let on): return try join(tree, on: on, branches: branches, at: range)
    }
  }

  private func join(
    _ tree: CombineTree, on: [ColumnTree], branches: [[StagePlan]], at range: QueryRange
  ) throws(QueryError) -> StagePlan {
    try checkOutputs(tree, at: range)
    try checkNames(branches, on: Set(on.map(\.name)), at: range)
    let keys = try self.columns(on).map(\.value)
    let rows = JoinedRows(branches: branches.count, keys: keys)
    return fan("join", branches: branches, columns: columns(ofUnion: branches)) {
      rows.combine($0, $1)
    }
  }

  /// Checks that all chains make outputs at the same moments, because rows of different moments
  /// never meet.
  private func checkOutputs(_ tree: CombineTree, at range: QueryRange) throws(QueryError) {
    let outputs = tree.branches.map(\.outputKind)
    guard Set(outputs).count > 1 else { return }
    throw query.error(
      .type,
      "The pipes of a join have to put rows out at the same times: give all the same "
        + "“every”.", at: range)
  }

  private func checkNames(
    _ branches: [[StagePlan]], on names: Set<String>, at range: QueryRange
  ) throws(QueryError) {
    var known: Set<String> = []
    for branch in branches {
      let columns = Set(branch.columns ?? []).subtracting(names).subtracting(["timestamp"])
      if let name = columns.intersection(known).sorted().first {
        throw query.error(
          .type,
          "Two pipes of the join have a column “\(name)”: name one of them with “as”, or "
            + "join on it.", at: range)
      }
      known.formUnion(columns)
    }
  }

  private func columns(ofUnion branches: [[StagePlan]]) -> [String]? {
    var names: [String] = []
    for branch in branches {
      guard let columns = branch.columns else { return nil }
      for name in columns where !names.contains(name) { names.append(name) }
    }
    return names
  }

  private func fan(
    _ name: String, branches: [[StagePlan]], columns: [String]?,
    combine: @escaping @Sendable ([CollectedBatch], StageContext) -> [StageRow]
  ) -> StagePlan {
    let inner = branches.map { "[" + $0.map(\.summary).joined(separator: " => ") + "]" }
    return StagePlan(
      summary: "\(name) of \(inner.joined(separator: ", "))",
      columns: columns.map(StageColumns.only) ?? .unknown,
      notes: branches.flatMap { $0.flatMap(\.notes) },
      looksAtTime: branches.contains { $0.contains(where: \.looksAtTime) },
      reach: .widest(branches.map(\.reach))
    ) { next, context in
      let collector = CollectStage(name, next: next, context: context, combine: combine)
      let firsts = branches.enumerated().map { number, plans in
        plans.make(in: context, before: BranchEnd(number, of: collector, context: context))
      }
      return FanStage(firsts, into: collector, context: context)
    }
  }
}

extension [PipeTree] {
  /// The output kind of the last pipe that has one.
  fileprivate var outputKind: OutputTree.Kind? { reversed().lazy.compactMap(\.outputKind).first }
}

extension PipeTree {
  /// The output kind of the pipe. Nil means that it makes an output for each batch.
  fileprivate var outputKind: OutputTree.Kind? {
    switch kind {
    case .select(let tree):
      let aggregates = tree.columns.contains { $0.expression.firstAggregation != nil }
      return aggregates ? tree.output?.kind ?? .atTheEnd : nil
    case .latest: return .atTheEnd
    case .combine(let tree): return tree.branches.first?.outputKind
    default: return nil
    }
  }
}
