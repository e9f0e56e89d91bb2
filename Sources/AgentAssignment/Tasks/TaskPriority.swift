public import AgentJSON

/// How soon a task is wanted: a number of 0 … 1000.
public struct TaskPriority: Sendable, Hashable, Comparable {
  /// The least and the greatest.
  public static let range = 0...1000
  /// What a task has that says nothing.
  public static let normal = TaskPriority(.normal)

  /// The number.
  public let value: Int

  /// A priority by its number; what is outside of the range becomes its nearest end.
  public init(clamping value: Int) {
    self.value = min(max(value, Self.range.lowerBound), Self.range.upperBound)
  }

  /// A priority by its name.
  public init(_ level: PriorityLevel) { value = level.value }

  /// The level that it has reached: the greatest name whose number isn't above it, and `low` for
  /// what is below all of them. 600 is `normal`, as 749 is.
  public var level: PriorityLevel {
    PriorityLevel.allCases.last { $0.value <= value } ?? .low
  }

  /// The name, where the number has one.
  public var name: String? {
    PriorityLevel.allCases.first { $0.value == value }?.rawValue
  }

  /// This one, raised (or with less than nothing lowered) within the range.
  public func raised(by points: Int) -> TaskPriority {
    let (sum, overflow) = value.addingReportingOverflow(points)
    return TaskPriority(clamping: overflow ? (points < 0 ? .min : .max) : sum)
  }

  /// Whether the task is wanted less.
  public static func < (left: TaskPriority, right: TaskPriority) -> Bool {
    left.value < right.value
  }
}

extension TaskPriority {
  /// Reads a name or a number of 0 … 1000.
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
        found: node, nearest: node.string.flatMap { NearestName.of($0, among: names) })
    }
  }
}
