/// The members of an event that a query reads. A reader can skip all others.
///
/// The event's type isn't included if the filter has only conditions on types. A reader that skips
/// events of other types has tested it already.
public enum FieldNeeds: Sendable, Hashable {
  /// The query passes whole events on.
  case all
  /// The query reads only these members.
  case only(Set<String>)

  init(_ tree: QueryTree) {
    var names: Set<String> = []
    // The log has tested the types already.
    if !FilterRequirements(tree.filter).areTypesAlone { Self.names(of: tree.filter, &names) }
    self =
      Self.names(of: tree.pipes, &names)
      ? .only(names) : .all
  }

  // Each case adds the members that it reads. The last three decide whether these are all.

  private static func names(of filter: FilterTree, _ names: inout Set<String>) {
    switch filter.kind {
    case .everything: break
    case .term(let term): add(term.field, to: &names)
    case .all(let parts), .any(let parts):
      for part in parts { Self.names(of: part, &names) }
    case .not(let part): Self.names(of: part, &names)
    }
  }

  private static func names(of pipes: [PipeTree], _ names: inout Set<String>) -> Bool {
    for pipe in pipes {
      switch pipe.kind {
      case .select(let tree):
        return Self.names(of: tree.columns + tree.groups, &names)
      case .yield(let expression):
        return expression.map { Self.names(of: $0, &names) } ?? false
      case .combine(let tree):
        for branch in tree.branches where !Self.names(of: branch, &names) { return false }
        // Rows are joined by values that the branches have made.
        return true
      case .filter(let expression):
        guard Self.names(of: expression, &names) else { return false }
      case .sort(let keys):
        guard keys.allSatisfy({ Self.names(of: $0.expression, &names) }) else { return false }
      case .top(_, let keys, let by):
        guard keys.allSatisfy({ Self.names(of: $0.expression, &names) }),
          Self.names(of: by, &names)
        else { return false }
      case .set(let columns):
        guard Self.names(of: columns, &names) else { return false }
      case .throttle(_, _, let by), .debounce(_, let by):
        guard Self.names(of: by, &names) else { return false }
      case .latest: break
      }
    }
    return false
  }

  private static func names(of columns: [ColumnTree], _ names: inout Set<String>) -> Bool {
    columns.allSatisfy { Self.names(of: $0.expression, &names) }
  }

  private static func names(of expression: ExpressionTree, _ names: inout Set<String>) -> Bool {
    switch expression.kind {
    case .row, .first: return false
    case .field(let name): add(name, to: &names)
    case .filter(let filter): Self.names(of: filter, &names)
    case .aggregation(let aggregation)
    where aggregation.arguments.isEmpty && aggregation.name != .count:
      return false
    default: break
    }
    return expression.kind.children.allSatisfy { Self.names(of: $0, &names) }
  }

  /// Adds a dotted name: a member of that name, or one inside the member before the first dot.
  private static func add(_ name: String, to names: inout Set<String>) {
    names.insert(name)
    if let dot = name.firstIndex(of: ".") { names.insert(String(name[..<dot])) }
  }
}
