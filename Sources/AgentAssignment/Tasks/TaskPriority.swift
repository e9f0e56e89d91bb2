public import AgentJSON
internal import AgentText

/// The urgency of a task: a number from 0 to 1000.
public struct TaskPriority: Sendable, Hashable, Comparable {
  /// The valid range.
  public static let range = 0...1000
  /// The default priority.
  public static let normal = TaskPriority(.normal)

  public let value: Int

  /// Creates a priority from a number. A number outside of the range becomes the nearest end.
  public init(clamping value: Int) {
    self.value = min(max(value, Self.range.lowerBound), Self.range.upperBound)
  }

  /// Creates a priority from a level.
  public init(_ level: PriorityLevel) { value = level.value }

  /// The highest level whose number isn't above this priority, or `low` below all levels. 600 and
  /// 749 are both `normal`.
  public var level: PriorityLevel {
    PriorityLevel.allCases.last { $0.value <= value } ?? .low
  }

  /// The name of the level, if the number is exactly that of a level.
  public var name: String? {
    PriorityLevel.allCases.first { $0.value == value }?.rawValue
  }

  /// The priority raised by `points`, within the range. Negative points lower it.
  public func raised(by points: Int) -> TaskPriority {
    let (sum, overflow) = value.addingReportingOverflow(points)
    return TaskPriority(clamping: overflow ? (points < 0 ? .min : .max) : sum)
  }

  /// Whether `left` is less urgent.
  public static func < (left: TaskPriority, right: TaskPriority) -> Bool {
    left.value < right.value
  }
}

extension TaskPriority {
  /// Reads a name or a number from 0 to 1000.
  public init(reading node: JSONNode) throws(AssignmentProblem) {
    if let value = node.int, Self.range.contains(value) {
      self.init(clamping: value)
    } else if let name = node.string, let level = PriorityLevel(rawValue: name) {
      self.init(level)
    } else {
      let names = PriorityLevel.allCases.map(\.rawValue)
      throw AssignmentProblem(
        .invalidValue, at: node,
        "Expected a priority: \(names.joined(separator: ", ")), or a whole number of 0 … 1000.",
        found: node, nearest: node.string.flatMap { NameSuggestion.of($0, among: names) })
    }
  }
}
