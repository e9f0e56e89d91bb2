internal import AgentJSON
internal import Glibc

/// HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007) with 2^14 registers. The standard error of
/// a count is 1.04 / √16,384 = 0.81 %.
///
/// The count is computed by the estimator of Ertl, «New cardinality estimation algorithms for
/// HyperLogLog sketches» (2017). It needs no corrections for small or large counts. Merging is
/// exact: the sketch of a union is the union of the sketches.
struct DistinctSketch: Sendable {
  private static let precision = 14
  private static let size = 1 << precision
  /// The size of the registers.
  static let bytes = size

  private var registers = [UInt8](repeating: 0, count: size)

  /// Counts `value` unless an equal one was counted.
  mutating func add(_ value: JSONValue) {
    let hash = StableHash.of(value)
    let register = Int(clamping: hash >> (64 - Self.precision))
    let rest = hash << Self.precision
    let zeros = rest == 0 ? 64 - Self.precision : rest.leadingZeroBitCount
    registers[register] = max(registers[register], UInt8(clamping: zeros + 1))
  }

  /// Adds everything that `other` has counted.
  mutating func merge(_ other: DistinctSketch) {
    registers = zip(registers, other.registers).map { max($0, $1) }
  }

  /// The estimated number of different values.
  var estimate: Int {
    let highest = 64 - Self.precision
    var counts = [Int](repeating: 0, count: highest + 2)
    for register in registers { counts[Int(register)] += 1 }
    let size = Double(Self.size)
    var sum = size * Self.tau(1 - Double(counts[highest + 1]) / size)
    for rank in stride(from: highest, through: 1, by: -1) {
      sum = 0.5 * (sum + Double(counts[rank]))
    }
    sum += size * Self.sigma(Double(counts[0]) / size)
    return Int(exactly: (size * size / (2 * log(2.0) * sum)).rounded()) ?? .max
  }

  /// x + Σ x^(2^k) · 2^(k−1)
  private static func sigma(_ start: Double) -> Double {
    guard start < 1 else { return .infinity }
    var power = start
    var weight = 1.0
    var sum = start
    var last = Double.nan
    while sum != last {
      power *= power
      last = sum
      sum += power * weight
      weight += weight
    }
    return sum
  }

  /// (1 − x − Σ (1 − x^(2^−k))² · 2^−k) / 3
  private static func tau(_ start: Double) -> Double {
    guard start > 0, start < 1 else { return 0 }
    var root = start
    var weight = 1.0
    var sum = 1 - start
    var last = Double.nan
    while sum != last {
      root = root.squareRoot()
      last = sum
      weight *= 0.5
      sum -= (1 - root) * (1 - root) * weight
    }
    return sum / 3
  }
}
