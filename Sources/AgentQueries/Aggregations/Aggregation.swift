internal import AgentJSON

/// An aggregation that is ready to run: its input from each row, and its result.
struct Aggregation: Sendable {
  let tree: AggregationTree
  /// The value of each row. Nil means that the aggregation takes none.
  let argument: RowExpression?
  /// The condition for rows that count. Nil means all rows.
  let condition: RowExpression?
  /// The share of a percentile, from 0 to 1.
  let share: Double

  /// Makes a column without slots. It counts the size of its states in `memory`.
  func column(_ memory: MemoryAccount) -> AggregationColumn {
    let share = share
    switch tree.name {
    case .count: return AggregationColumn(CountAccumulator.self, memory) { $0.result }
    case .sum: return AggregationColumn(SumAccumulator.self, memory) { $0.sum }
    case .avg: return AggregationColumn(SumAccumulator.self, memory) { $0.mean }
    case .min: return AggregationColumn(LeastAccumulator.self, memory) { $0.result }
    case .max: return AggregationColumn(MaxAccumulator.self, memory) { $0.result }
    case .first: return AggregationColumn(FirstAccumulator.self, memory) { $0.result }
    case .last: return AggregationColumn(LastAccumulator.self, memory) { $0.result }
    case .firstv:
      return AggregationColumn(NotNull<FirstAccumulator>.self, memory) { $0.base.result }
    case .lastv: return AggregationColumn(NotNull<LastAccumulator>.self, memory) { $0.base.result }
    case .stdev: return moments(memory) { $0.sampleVariance?.squareRoot() }
    case .stdevp: return moments(memory) { $0.populationVariance?.squareRoot() }
    case .variance: return moments(memory) { $0.sampleVariance }
    case .variancep: return moments(memory) { $0.populationVariance }
    case .median, .percentile:
      return AggregationColumn(QuantileAccumulator.self, memory) { $0.quantile(share) }
    case .dcount: return AggregationColumn(DistinctAccumulator.self, memory) { $0.result }
    case .list: return AggregationColumn(ListAccumulator.self, memory) { $0.result }
    case .set: return AggregationColumn(SetAccumulator.self, memory) { $0.result }
    }
  }

  private func moments(
    _ memory: MemoryAccount, _ finish: @escaping (MomentsAccumulator) -> Double?
  ) -> AggregationColumn {
    AggregationColumn(MomentsAccumulator.self, memory) { finish($0).map { JSONValue($0) } ?? .null }
  }
}
