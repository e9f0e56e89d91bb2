internal import Glibc

/// Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten.
struct NumberTicks {
  /// The range of the axis. Both ends are ticks.
  let range: ClosedRange<Double>
  let ticks: [(value: Double, label: String)]

  /// - Parameters:
  ///   - values: the range that the axis must include. Neither end exceeds 1e300 in size.
  ///   - most: the largest number of steps.
  init(holding values: ClosedRange<Double>, most: Int) {
    var (low, high) = (values.lowerBound, values.upperBound)
    // Two values that differ by a rounding error would stretch that error over the whole height.
    // The axis begins at zero instead.
    if high - low <= max(abs(low), abs(high)) * 1e-9 {
      (low, high) = (min(low, 0), max(high, 0))
    }
    if high - low < 1e-290 { (low, high) = (0, 1) }
    var step = Step(atLeast: (high - low) / Double(max(most, 1)))
    while step.count(low, high) > max(most, 1) { step = step.next }
    let first = Int64((low / step.size).rounded(.down))
    let last = max(Int64((high / step.size).rounded(.up)), first + 1)
    let unit = Self.unit(for: Double(max(abs(first), abs(last))) * step.size)
    range = Double(first) * step.size...Double(last) * step.size
    ticks = (first...last).map { number in
      let text = Self.text(number * step.digit, exponent: step.exponent - unit.exponent)
      return (Double(number) * step.size, number == 0 ? "0" : text + unit.letter)
    }
  }

  private struct Step {
    var digit: Int64
    var exponent: Int

    init(digit: Int64, exponent: Int) { (self.digit, self.exponent) = (digit, exponent) }

    init(atLeast size: Double) {
      let exponent = Int(log10(size).rounded(.down))
      let digit = ([1, 2, 5] as [Int64]).first { Double($0) * pow(10, Double(exponent)) >= size }
      self.init(digit: digit ?? 1, exponent: digit == nil ? exponent + 1 : exponent)
    }

    var size: Double { Double(digit) * pow(10, Double(exponent)) }

    var next: Step {
      switch digit {
      case 1: Step(digit: 2, exponent: exponent)
      case 2: Step(digit: 5, exponent: exponent)
      default: Step(digit: 1, exponent: exponent + 1)
      }
    }

    /// Returns the number of steps of an axis that includes both values.
    func count(_ low: Double, _ high: Double) -> Int {
      Int((high / size).rounded(.up) - (low / size).rounded(.down))
    }
  }

  private static func unit(for largest: Double) -> (letter: String, exponent: Int) {
    switch largest {
    case 1e16...: ("", 0)
    case 1e12...: ("T", 12)
    case 1e9...: ("G", 9)
    case 1e6...: ("M", 6)
    case 1e4...: ("k", 3)
    default: ("", 0)
    }
  }

  /// Returns `number` × 10^`exponent` in decimal digits. It reads no floating-point value, so that
  /// a label shows no rounding error.
  private static func text(_ number: Int64, exponent: Int) -> String {
    if exponent > 4 || exponent < -6 { return "\(number)e\(exponent)" }
    if exponent >= 0 { return "\(number)" + String(repeating: "0", count: exponent) }
    var digits = String(number.magnitude)
    digits = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return (number < 0 ? "-" : "") + digits.dropLast(-exponent) + "." + digits.suffix(-exponent)
  }
}
