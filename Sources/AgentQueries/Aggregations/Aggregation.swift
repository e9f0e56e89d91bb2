internal import AgentJSON

/// An aggregation that is ready to run: what it takes from each row, and what it makes of it.
struct Aggregation: Sendable {
  let tree: AggregationTree
  /// What each row gives; nil where the aggregation takes nothing.
  let argument: RowExpression?
  /// Which rows count; nil for all.
  let condition: RowExpression?
  /// 0…1: which quantile a percentile asks for.
  let share: Double

  /// A column without slots.
  func column() -> AggregationColumn {
    let share = share
    switch tree.name {
    case .count: return AggregationColumn(CountAccumulator.self) { $0.result }
    case .sum: return AggregationColumn(SumAccumulator.self) { $0.sum }
    case .avg: return AggregationColumn(SumAccumulator.self) { $0.mean }
    case .min: return AggregationColumn(LeastAccumulator.self) { $0.result }
    case .max: return AggregationColumn(GreatestAccumulator.self) { $0.result }
    case .first: return AggregationColumn(FirstAccumulator.self) { $0.result }
    case .last: return AggregationColumn(LastAccumulator.self) { $0.result }
    case .firstv: return AggregationColumn(NotNull<FirstAccumulator>.self) { $0.base.result }
    case .lastv: return AggregationColumn(NotNull<LastAccumulator>.self) { $0.base.result }
    case .stdev: return moments { $0.sampleVariance?.squareRoot() }
    case .stdevp: return moments { $0.populationVariance?.squareRoot() }
    case .variance: return moments { $0.sampleVariance }
    case .variancep: return moments { $0.populationVariance }
    case .median, .percentile:
      return AggregationColumn(QuantileAccumulator.self) { $0.quantile(share) }
    case .dcount: return AggregationColumn(DistinctAccumulator.self) { $0.result }
    case .list: return AggregationColumn(ListAccumulator.self) { $0.result }
    case .set: return AggregationColumn(SetAccumulator.self) { $0.result }
    }
  }

  private func moments(_ finish: @escaping (MomentsAccumulator) -> Double?) -> AggregationColumn {
    AggregationColumn(MomentsAccumulator.self) { finish($0).map { JSONValue($0) } ?? .null }
  }
}
