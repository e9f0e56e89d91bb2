/// The names of the language, for pages, completion and suggestions.
public enum QueryLanguage {
  /// Functions of values, in alphabetical order.
  public static let functions: [String] = FunctionNames.all.sorted()
  /// Aggregations, in alphabetical order.
  public static let aggregations: [String] = AggregationName.allCases.map(\.rawValue).sorted()
  /// Pipes without their sign, in alphabetical order.
  public static let pipes: [String] = QueryReader.pipeNames.sorted()
}
