internal import AgentAssignment
internal import AgentJSON

/// A task to create.
public struct TaskDraft: Sendable {
  /// The name for people.
  public var name: String
  /// The name of the task type.
  public var type: String
  /// The work, the limits and the rules.
  public var definition = TaskDefinition()
  /// The priority, 0 to 1000. A greater number is more urgent.
  public var priority = Int64(TaskPriority.normal.value)
  /// The due date in Unix milliseconds.
  public var due: Int64?
  /// The time to queue it, in Unix milliseconds; `nil` for now.
  public var runAt: Int64?
  /// Whether the task waits until a caller executes it.
  public var waits = false
  /// The rule by which a second creation returns the existing task.
  public var unique: TaskUniqueness?
  public var parent: Int64?
  public var batch: Int64?
  public var schedule: Int64?

  /// Creates a draft.
  public init(name: String, type: String) {
    (self.name, self.type) = (name, type)
  }
}

/// The rule that decides which tasks count as the same.
public enum TaskUniqueness: Sendable, Hashable {
  /// A key from the creator. Two requests with the same key create one task.
  case key(String)
  /// The same type and input, until the task has ended.
  case whileOpen
  /// The same type and input within one period. Periods are counted from 1970-01-01T00:00:00Z.
  case within(milliseconds: Int64)

  /// Whether the key is released when the task ends.
  var endsWithTask: Bool { self == .whileOpen }

  /// Returns the unique key of a draft as text. `now` is in Unix milliseconds.
  func text(_ draft: TaskDraft, now: Int64) -> String {
    // Objects that differ only in the order of their keys are the same input.
    let arguments = draft.definition.input.sortedText + (draft.definition.runCommand ?? "")
    // Each kind has its own prefix. Otherwise, a creator's key could equal a generated one.
    return switch self {
    case .key(let key): "key:\(key)"
    case .whileOpen: "open:\(draft.type):\(arguments)"
    // A period of 0 must not divide. The case is public, so any number may come in.
    case .within(let period): "in:\(now / max(1, period)):\(period):\(draft.type):\(arguments)"
    }
  }
}

extension JSONValue {
  /// JSON text with the keys of objects sorted.
  fileprivate var sortedText: String {
    switch self {
    case .object(let object):
      let members = object.map { (JSONValue.string($0.key).text(), $0.value.sortedText) }
      return "{" + members.sorted { $0.0 < $1.0 }.map { "\($0):\($1)" }.joined(separator: ",")
        + "}"
    case .array(let values): return "[" + values.map(\.sortedText).joined(separator: ",") + "]"
    default: return text()
    }
  }
}
