internal import AgentJSON

/// The sum and the count of the numbers among the values.
///
/// Integers are summed exactly while the sum fits into 64 bits. All other numbers are summed with
/// Neumaier's compensation (Neumaier, «Rundungsfehleranalyse einiger Verfahren zur Summation
/// endlicher Summen», 1974). Its error doesn't grow with the number of values.
struct SumAccumulator: Accumulator {
  static let isFixedSize = true
  private var integers: Int64 = 0
  private var doubles = 0.0
  private var compensation = 0.0
  private var hasDoubles = false
  private var count = 0

  mutating func add(_ value: JSONValue, at stamp: RowStamp) {
    guard let number = ExactNumber(value) else { return }
    count += 1
    switch number {
    case .integer(let integer): add(integer)
    case .double(let double): add(double)
    }
  }

  mutating func merge(_ other: Self) {
    count += other.count
    add(other.integers)
    guard other.hasDoubles else { return }
    add(other.doubles)
    compensation += other.compensation
  }

  private mutating func add(_ integer: Int64) {
    let (sum, overflow) = integers.addingReportingOverflow(integer)
    if overflow {
      add(Double(integers))
      integers = integer
    } else {
      integers = sum
    }
  }

  private mutating func add(_ double: Double) {
    hasDoubles = true
    let sum = doubles + double
    if doubles.magnitude >= double.magnitude {
      compensation += (doubles - sum) + double
    } else {
      compensation += (double - sum) + doubles
    }
    doubles = sum
  }

  /// The sum. It is 0 without numbers, and null if it exceeds all doubles.
  var sum: JSONValue { hasDoubles ? JSONValue(total) : JSONValue(integers) }

  /// The mean. It is null without numbers.
  var mean: JSONValue { count == 0 ? .null : JSONValue(total / Double(count)) }

  private var total: Double {
    guard hasDoubles else { return Double(integers) }
    // After an overflow of the doubles the compensation isn't a number.
    let rest = compensation.isFinite ? compensation : 0
    return doubles + (Double(integers) + rest)
  }
}
