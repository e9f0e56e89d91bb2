internal import AgentTasks

/// A schedule that is to be there.
public struct ScheduleDraft: Sendable, Equatable {
  /// What people call it.
  public var name: String
  /// When it fires, and what it makes.
  public var definition: ScheduleDefinition

  /// Makes a draft.
  public init(name: String, _ definition: ScheduleDefinition) {
    (self.name, self.definition) = (name, definition)
  }

  /// Checks a name. A character that is no digit distinguishes it from a number.
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
