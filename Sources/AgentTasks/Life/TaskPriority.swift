/// How urgent a task is: a number from 0 to 1000, four of which have names.
public enum TaskPriority: Int64, Sendable, CaseIterable {
  /// 250.
  case low = 250
  /// 500: where nothing else is said.
  case normal = 500
  /// 750.
  case high = 750
  /// 1000.
  case critical = 1000

  /// What people write.
  public var name: String { "\(self)" }

  /// The numbers that a priority may be.
  public static let range: ClosedRange<Int64> = 0...1000

  /// The number of a name, or nil.
  public static func number(named name: String) -> Int64? {
    allCases.first { $0.name == name }?.rawValue
  }

  /// The greatest named priority that a number reaches; `low` below all of them.
  public static func name(of number: Int64) -> String {
    (allCases.last { $0.rawValue <= number } ?? .low).name
  }
}
