/// The names that priorities have.
public enum PriorityLevel: String, Sendable, Hashable, CaseIterable, Comparable {
  case low, normal, high, critical

  /// The number that the name stands for, of 0 … 1000.
  public var value: Int {
    switch self {
    case .low: 250
    case .normal: 500
    case .high: 750
    case .critical: 1000
    }
  }

  /// Whether it matters less.
  public static func < (left: PriorityLevel, right: PriorityLevel) -> Bool {
    left.value < right.value
  }

  /// Its place in a set of levels, as bits.
  var bit: UInt8 {
    switch self {
    case .low: 1
    case .normal: 2
    case .high: 4
    case .critical: 8
    }
  }
}
