extension ExpressionTree {
  /// The place of the first aggregation in the expression. Nil means that there is none.
  var firstAggregation: QueryRange? {
    if case .aggregation = kind { return range }
    for child in kind.children {
      if let range = child.firstAggregation { return range }
    }
    return nil
  }

  /// Returns the first field of a row, or the row itself, that isn't one of `names`. Aggregations
  /// are skipped.
  func firstField(except names: Set<String>) -> ExpressionTree? {
    switch kind {
    case .field(let name): return names.contains(name) ? nil : self
    case .row, .first, .filter: return self
    case .aggregation: return nil
    default:
      for child in kind.children {
        if let field = child.firstField(except: names) { return field }
      }
      return nil
    }
  }
}
