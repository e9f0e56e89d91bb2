/// The named levels of priority.
public enum PriorityLevel: String, Sendable, Hashable, CaseIterable, Comparable {
  case low, normal, high, critical

  /// The priority number of the level.
  public var value: Int {
    switch self {
    case .low: 250
    case .normal: 500
    case .high: 750
    case .critical: 1000
    }
  }

  /// Whether `left` is less urgent.
  public static func < (left: PriorityLevel, right: PriorityLevel) -> Bool {
    left.value < right.value
  }

  /// The bit of the level in a set of levels.
  var bit: UInt8 {
    switch self {
    case .low: 1
    case .normal: 2
    case .high: 4
    case .critical: 8
    }
  }
}
