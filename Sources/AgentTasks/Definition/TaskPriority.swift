public import AgentAssignment

/// The urgency of a task: a number from 0 to 1000. Four numbers have names.
public typealias TaskPriority = AgentAssignment.TaskPriority

extension TaskPriority {
  /// Returns the number of a named priority, or `nil` if there is no such name.
  public static func number(named name: String) -> Int64? {
    PriorityLevel(rawValue: name).map { Int64($0.value) }
  }

  /// Returns the greatest named priority that isn't above a number. It is `low` below all of them.
  public static func name(of number: Int64) -> String {
    TaskPriority(clamping: Int(clamping: number)).level.rawValue
  }

  /// Returns whether a number is in the range of priorities.
  public static func isValid(_ number: Int64) -> Bool {
    range.contains(Int(clamping: number))
  }
}
