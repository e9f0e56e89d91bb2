internal import AgentAssignment
internal import AgentJSON

/// A task that is to be created.
public struct TaskDraft: Sendable {
  /// What people call it.
  public var name: String
  /// What is done: the name of a task type.
  public var type: String
  /// What is to be done, and how.
  public var definition = TaskDefinition()
  /// How urgent it is, from 0 to 1000.
  public var priority = Int64(TaskPriority.normal.value)
  /// When it should be done, in Unix milliseconds.
  public var due: Int64?
  /// When it is to be queued, in Unix milliseconds; nil for now.
  public var runAt: Int64?
  /// Whether it waits until somebody asks for it to be done.
  public var waits = false
  /// While a task has this key, no other is created with it.
  public var unique: TaskUniqueness?
  /// The task that it belongs to.
  public var parent: Int64?
  /// The batch that it belongs to.
  public var batch: Int64?
  /// The schedule that makes it.
  public var schedule: Int64?

  /// Makes a draft.
  public init(name: String, type: String) {
    (self.name, self.type) = (name, type)
  }
}

/// What makes a task the only one of its sort.
public enum TaskUniqueness: Sendable, Hashable {
  /// A key that its creator gives: the same request twice creates one task.
  case key(String)
  /// The type and the input, while the task hasn't ended.
  case whileOpen
  /// The type and the input, within a period of so many milliseconds, counted from the beginning of
  /// 1970.
  case within(milliseconds: Int64)

  /// Whether the key is free again when the task has ended.
  var endsWithTask: Bool { self == .whileOpen }

  func text(_ draft: TaskDraft, now: Int64) -> String {
    // Arguments are the same whatever the order of their keys.
    let arguments = draft.definition.input.sortedText + (draft.definition.runCommand ?? "")
    return switch self {
    case .key(let key): "key:\(key)"
    case .whileOpen: "open:\(draft.type):\(arguments)"
    case .within(let period): "in:\(now / max(1, period)):\(period):\(draft.type):\(arguments)"
    }
  }
}

extension JSONValue {
  /// JSON text with the keys of objects in their order.
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
