public import AgentJSON
public import AgentStore

/// The representation of a task for people and programs.
public struct TaskReport: Sendable {
  private let task: TaskRow

  /// Creates the report of a task.
  public init(_ task: TaskRow) { self.task = task }

  /// The task without its history: the request, the status and the result.
  public var json: JSONObject {
    var object: JSONObject = [
      "id": .string("\(task.id)"), "name": .string(task.name), "type": .string(task.type),
      "status": .string(task.state.rawValue), "priority": JSONValue(task.priority),
      "priority_name": .string(TaskPriority.name(of: task.priority)),
    ]
    for (key, value) in TaskDefinition(stored: task.definition).json { object[key] = value }
    object["attempt"] = JSONValue(task.attempt)
    object["failures"] = JSONValue(task.failures)
    put("created", task.created, into: &object)
    put("updated", task.updated, into: &object)
    put("asked", task.asked, into: &object)
    put("run_at", task.runAt, into: &object)
    put("due_date", task.due, into: &object)
    put("started", task.started, into: &object)
    put("finished", task.finished, into: &object)
    put("cancelling", task.cancelling, into: &object)
    object["owner"] = task.owner.map(JSONValue.string)
    // The bot that has the task, or before that the bot that the definition requires.
    object["bot"] = task.bot.map(JSONValue.string) ?? object["bot"]
    put("parent", task.parent, into: &object, asText: true)
    put("batch", task.batch, into: &object, asText: true)
    put("schedule", task.schedule, into: &object, asText: true)
    object["progress"] = task.progress.flatMap { JSONValue(stored: $0) }
    object["result"] = result
    return object
  }

  /// The members that contain the input and the output of a program.
  private static let confidential = [
    "input", "run_command", "shell", "secrets", "metadata", "progress", "result",
  ]

  /// The representation in events. Every module may subscribe to events, even one that may not see
  /// or execute such a task. Therefore, the input and output of a program or a task with secrets
  /// are omitted. Members of more than 64 KiB are omitted too, and `omitted` names them.
  public var event: JSONObject {
    var object = json
    if isConfidential {
      for key in Self.confidential { object[key] = nil }
    }
    return object.fitForEvent()
  }

  /// Returns the representation for a caller that may read only some attempts. After later
  /// attempts, the input and output are omitted, and the result is that of the caller's latest
  /// attempt.
  func json(for attempts: ReadableAttempts) -> JSONObject {
    guard case .own(let rows) = attempts, let last = rows.first, !isEnd(of: last) else {
      return json
    }
    var object = json
    for key in Self.confidential { object[key] = nil }
    object["result"] = last.result.flatMap { JSONValue(stored: $0) }
    return object
  }

  /// Returns the changes by these attempts, and those before the first attempt.
  func history(for attempts: ReadableAttempts) -> [JSONValue] {
    history.filter { change in
      change["attempt"]?.int64.map { attempts.includes(attempt: $0) } ?? true
    }
  }

  /// Returns whether the task ended with this attempt. A requeued task has the same attempt number
  /// until it is assigned again, and may have a new input. The same applies to a cancelled one.
  private func isEnd(of assignment: AssignmentRow) -> Bool {
    task.attempt == assignment.attempt && [.succeeded, .failed, .dead].contains(task.state)
  }

  /// Whether it runs a program or uses secrets.
  package var isConfidential: Bool {
    TaskDraft.asksForPrograms(task.type, TaskDefinition(stored: task.definition))
  }

  /// The result `{output, status, error, execution_time, timestamp}`; `nil` before the end of the
  /// first attempt.
  public var result: JSONValue? {
    guard let bytes = task.result, case .object(var result)? = JSONValue(stored: bytes) else {
      return nil
    }
    // The status comes from the row, because it may have changed since the attempt stored its
    // result.
    result["status"] = .string(task.state.rawValue)
    return .object(result)
  }

  /// The changes, the oldest first: `{at, state, attempt, by, note}`.
  public var history: [JSONValue] { TaskHistory.values(of: task.history) }

  private func put(
    _ key: String, _ number: Int64?, into object: inout JSONObject, asText: Bool = false
  ) {
    guard let number else { return }
    object[key] = asText ? .string("\(number)") : JSONValue(number)
  }
}
