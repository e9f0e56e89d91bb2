/// The names of scalar functions and how many arguments they take.
enum FunctionNames {
  static let arguments: [String: ClosedRange<Int>] = [
    "lower": 1...1, "upper": 1...1, "contains": 2...2, "number": 1...1, "string": 1...1,
    "object": 1...1, "concat": 1...64, "min": 2...64, "max": 2...64, "round": 1...2,
  ]

  static let all = Set(arguments.keys)

  static func phrase(_ range: ClosedRange<Int>) -> String {
    if range.lowerBound == range.upperBound {
      return range.lowerBound == 1 ? "1 argument" : "\(range.lowerBound) arguments"
    }
    return "\(range.lowerBound) to \(range.upperBound) arguments"
  }

  static func check(
    _ name: String, _ count: Int, at range: QueryRange, reader: QueryReader
  ) throws(QueryError) {
    guard let expected = arguments[name] else {
      let names = all.union(AggregationName.allCases.map(\.rawValue)).union(reader.macros.keys)
      let near = Spelling.suggestion(for: name, among: names.sorted())
      throw reader.fail(
        .unknownName,
        "there is no function \(name), or it isn't supported yet."
          + (near.map { " Did you mean \($0)?" } ?? ""), at: range)
    }
    guard expected.contains(count) else {
      throw reader.fail(.type, "\(name) takes \(phrase(expected)), not \(count).", at: range)
    }
  }
}
