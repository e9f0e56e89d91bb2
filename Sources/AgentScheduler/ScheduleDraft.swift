internal import AgentTasks

/// A schedule to create: its name and its definition.
public struct ScheduleDraft: Sendable, Equatable {
  /// The name of the schedule; see ``check(_:)``.
  public var name: String
  /// The fire times, the task and the policies.
  public var definition: ScheduleDefinition

  public init(name: String, _ definition: ScheduleDefinition) {
    (self.name, self.definition) = (name, definition)
  }

  /// Checks a name. A name has at least one character that isn't a digit, because requests name a
  /// schedule by its name or by its number.
  /// - Throws: `invalid`.
  static func check(_ name: String) throws(TaskError) {
    let isWord = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    guard (1...200).contains(name.count), isWord, !name.allSatisfy(\.isNumber),
      name.first != " ", name.last != " "
    else {
      throw TaskError(
        .invalid,
        "A schedule's name has 1 to 200 characters, none of them a control character, no blank "
          + "at its ends, and isn't a number.")
    }
  }
}
