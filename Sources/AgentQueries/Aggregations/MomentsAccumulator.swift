internal import AgentJSON

/// Number, mean and squared deviations of the numbers among the values.
///
/// Values are added after Welford, states merged after Chan, Golub and LeVeque (1979): neither
/// subtracts large sums from one another.
struct MomentsAccumulator: Accumulator {
  static let isFixedSize = true
  private var count = 0.0
  private var mean = 0.0
  private var squares = 0.0

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard case .number(let number) = value else { return }
    let value = number.double
    count += 1
    let difference = value - mean
    mean += difference / count
    squares += difference * (value - mean)
  }

  mutating func merge(_ other: Self) {
    guard other.count > 0 else { return }
    let total = count + other.count
    let difference = other.mean - mean
    squares += other.squares + difference * difference * (count * other.count / total)
    mean += difference * (other.count / total)
    count = total
  }

  /// Divided by one less than the number of values: null for fewer than two.
  var sampleVariance: Double? { count < 2 ? nil : squares / (count - 1) }

  /// Divided by the number of values: null without any.
  var populationVariance: Double? { count == 0 ? nil : squares / count }
}
