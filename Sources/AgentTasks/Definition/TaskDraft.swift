internal import AgentAssignment
internal import AgentJSON

/// A task to create.
public struct TaskDraft: Sendable {
  /// The name for people.
  public var name: String
  /// The name of the task type.
  public var type: String
  /// Its work, its limits and its rules.
  public var definition = TaskDefinition()
  /// From 0 to 1000; a greater number is more urgent.
  public var priority = Int64(TaskPriority.normal.value)
  /// The due date in Unix milliseconds.
  public var due: Int64?
  /// When to queue it, in Unix milliseconds; nil for now.
  public var runAt: Int64?
  /// Whether it waits until somebody executes it.
  public var waits = false
  /// Makes a second creation return the task that exists.
  public var unique: TaskUniqueness?
  public var parent: Int64?
  public var batch: Int64?
  public var schedule: Int64?

  /// Makes a draft.
  public init(name: String, type: String) {
    (self.name, self.type) = (name, type)
  }
}

/// Which tasks count as the same.
public enum TaskUniqueness: Sendable, Hashable {
  /// A key of the creator's; two requests with the same key create one task.
  case key(String)
  /// The same type and input, until the task has ended.
  case whileOpen
  /// The same type and input within one period. Periods are counted from the beginning of 1970.
  case within(milliseconds: Int64)

  /// Whether the end of the task frees the key.
  var endsWithTask: Bool { self == .whileOpen }

  func text(_ draft: TaskDraft, now: Int64) -> String {
    // Two objects with their keys in another order are the same input.
    let arguments = draft.definition.input.sortedText + (draft.definition.runCommand ?? "")
    // Each kind has a prefix of its own, or a creator's key could equal one of the others.
    return switch self {
    case .key(let key): "key:\(key)"
    case .whileOpen: "open:\(draft.type):\(arguments)"
    // The case is public: a period of 0 must not divide.
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
