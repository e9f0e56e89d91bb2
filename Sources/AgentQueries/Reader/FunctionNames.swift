internal import AgentText

/// The names of scalar functions and their numbers of arguments.
enum FunctionNames {
  static let all = Set(ScalarFunction.all.keys)

  /// Functions of the language that this version lacks.
  private static let unsupported: Set<String> = [
    "prev", "next", "random", "normrandom", "regex", "matches", "match", "like", "span", "compile",
    "itermap", "explode", "lookup", "zip", "flatten", "sort", "group", "delta", "rate", "hash",
    "mode", "skewness", "kurtosis", "covar", "corr", "regression", "histogram", "topk", "bottomk",
  ]

  static func phrase(_ range: ClosedRange<Int>) -> String {
    if range.lowerBound == range.upperBound {
      return range.lowerBound == 1 ? "1 argument" : "\(range.lowerBound) arguments"
    }
    return "\(range.lowerBound) to \(range.upperBound) arguments"
  }

  static func check(
    _ name: String, _ count: Int, at range: QueryRange, reader: QueryReader
  ) throws(QueryError) {
    guard let expected = ScalarFunction.all[name]?.arguments else {
      if unsupported.contains(name) || name.contains(".") {
        throw reader.unsupported("the function \(name)", at: range)
      }
      // Among equally near names the first one is suggested: the query's own definitions, then
      // aggregations, the usual ones first.
      let names =
        reader.macros.keys.sorted() + AggregationName.allCases.map(\.rawValue) + all.sorted()
      let near = NameSuggestion.of(name, among: names)
      throw reader.fail(
        .unknownName,
        "there is no function \(name), or it isn't supported yet."
          + NameSuggestion.question(near, quote: ""), at: range)
    }
    guard expected.contains(count) else {
      throw reader.fail(.type, "\(name) takes \(phrase(expected)), not \(count).", at: range)
    }
  }
}
