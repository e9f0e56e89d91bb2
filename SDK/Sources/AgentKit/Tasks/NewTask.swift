/// A task to create.
///
/// ```swift
/// var task = NewTask("Nightly backup", type: "data_backup", input: ["keep": 7])
/// task.priority = .high
/// try await host.tasks.queue(task)
/// ```
public struct NewTask: Sendable, Hashable {
  /// The name for people.
  public var name: String
  /// The name of a task type.
  public var type: String
  /// The input, as the task type requires it.
  public var input: JSONValue
  /// A description for people.
  public var description: String?
  /// How urgent it is; normal when nil.
  public var priority: TaskPriority?
  /// The only bot that may do it.
  public var bot: String?
  /// When it is to be queued, in Unix milliseconds.
  public var runAt: Int64?
  /// When it should be done, in Unix milliseconds.
  public var dueDate: Int64?
  /// Tags for finding the task.
  public var tags: [String] = []
  /// Any other key of docs/tasks.md: `retry`, `timeouts`, `unique`, `capability` …
  public var others: JSONObject = [:]

  /// Makes a task.
  public init(_ name: String, type: String, input: JSONValue = .null) {
    self.name = name
    self.type = type
    self.input = input
  }

  var json: JSONObject {
    var object = others
    object["name"] = .string(name)
    object["type"] = .string(type)
    if !input.isNull { object["input"] = input }
    if let description { object["description"] = .string(description) }
    if let priority { object["priority"] = JSONValue(priority.value) }
    if let bot { object["bot"] = .string(bot) }
    if let runAt { object["run_at"] = JSONValue(runAt) }
    if let dueDate { object["due_date"] = JSONValue(dueDate) }
    if !tags.isEmpty { object["tags"] = .array(tags.map(JSONValue.string)) }
    return object
  }
}

/// How urgent a task is: 0 … 1000.
public struct TaskPriority: Sendable, Hashable {
  /// The number.
  public let value: Int

  /// Makes a priority.
  public init(_ value: Int) { self.value = value }

  /// 250.
  public static let low = TaskPriority(250)
  /// 500.
  public static let normal = TaskPriority(500)
  /// 750.
  public static let high = TaskPriority(750)
  /// 1000.
  public static let critical = TaskPriority(1000)
}
