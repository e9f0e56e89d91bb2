internal import AgentJSON

/// The count, the mean and the squared deviations of the numbers among the values.
///
/// Values are added by Welford's method. States are merged by that of Chan, Golub and LeVeque
/// (1979). Neither subtracts large sums from each other.
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

  /// The squared deviations divided by one less than the count. Null means fewer than two values.
  var sampleVariance: Double? { count < 2 ? nil : squares / (count - 1) }

  /// The squared deviations divided by the count. Null means no values.
  var populationVariance: Double? { count == 0 ? nil : squares / count }
}
