internal import AgentText

extension PlanCompiler {
  /// Returns warnings about fields that the rows before a pipe can't have. Such a field is null,
  /// which is hardly ever intended.
  func notes(on pipe: PipeTree, among known: [String]?) -> [String] {
    guard let known else { return [] }
    var reported: Set<String> = []
    return pipe.expressions.flatMap(\.fields).compactMap { name in
      guard !Self.isColumn(name, among: known), reported.insert(name).inserted else { return nil }
      let near = NameSuggestion.of(name, among: known).map { " Did you mean “\($0)”?" } ?? ""
      let columns = known.map { "“\($0)”" }.joined(separator: ", ")
      return "There is no column “\(name)” there, so it is null: the rows have \(columns).\(near)"
    }
  }

  /// Returns whether a row may have such a member, or an object with it.
  private static func isColumn(_ name: String, among known: [String]) -> Bool {
    if known.contains(name) { return true }
    return name.indices.contains { place in
      name[place] == "." && known.contains(String(name[..<place]))
    }
  }
}

extension PipeTree {
  /// The expressions over each row. Those in branches are skipped.
  fileprivate var expressions: [ExpressionTree] {
    switch kind {
    case .select(let tree): (tree.groups + tree.columns).map(\.expression)
    case .filter(let condition): [condition]
    case .sort(let keys): keys.map(\.expression)
    case .top(_, let keys, let by): keys.map(\.expression) + by.map(\.expression)
    case .yield(let value): value.map { [$0] } ?? []
    case .set(let columns): columns.map(\.expression)
    case .throttle(_, _, let by), .debounce(_, let by): by.map(\.expression)
    case .latest, .combine: []
    }
  }
}

extension ExpressionTree {
  /// The names of its fields, in order.
  fileprivate var fields: [String] {
    if case .field(let name) = kind { return [name] }
    return kind.children.flatMap(\.fields)
  }
}
