public import AgentAssignment

/// How urgent a task is: a number from 0 to 1000, four of which have names.
public typealias TaskPriority = AgentAssignment.TaskPriority

extension TaskPriority {
  /// The number of a name, or nil.
  public static func number(named name: String) -> Int64? {
    PriorityLevel(rawValue: name).map { Int64($0.value) }
  }

  /// The greatest named priority that a number reaches; `low` below all of them.
  public static func name(of number: Int64) -> String {
    TaskPriority(clamping: Int(clamping: number)).level.rawValue
  }

  /// Whether a number may be a priority.
  public static func isValid(_ number: Int64) -> Bool {
    range.contains(Int(clamping: number))
  }
}
