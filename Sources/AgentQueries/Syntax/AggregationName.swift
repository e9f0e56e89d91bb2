/// The aggregations of the language.
///
/// A name that is also a scalar function (`min`, `max`) is an aggregation if its number of
/// arguments is in ``arguments``. Otherwise it is the function.
public enum AggregationName: String, Sendable, Hashable, CaseIterable {
  /// The number of rows. With an argument, the number of rows where it is neither null nor false.
  case count
  /// The sum of numbers.
  case sum
  /// The mean of numbers.
  case avg
  /// The least value.
  case min
  /// The greatest value.
  case max
  /// The value in the first row, null included.
  case first
  /// The value in the last row, null included.
  case last
  /// The first value that isn't null.
  case firstv
  /// The last value that isn't null.
  case lastv
  /// The standard deviation of a sample.
  case stdev
  /// The standard deviation of a whole population.
  case stdevp
  /// The variance of a sample.
  case variance = "var"
  /// The variance of a whole population.
  case variancep = "varp"
  /// The median.
  case median
  /// The value below which a share of the values lies: `percentile(x, 95)`.
  case percentile
  /// The number of different values.
  case dcount
  /// The values in order.
  case list
  /// The different values, in the order of their first rows.
  case set

  /// The allowed number of arguments.
  public var arguments: ClosedRange<Int> {
    switch self {
    case .count: 0...1
    case .percentile: 2...2
    case .sum, .avg, .min, .max, .first, .last, .firstv, .lastv, .stdev, .stdevp, .variance,
      .variancep, .median, .dcount, .list, .set:
      1...1
    }
  }
}
