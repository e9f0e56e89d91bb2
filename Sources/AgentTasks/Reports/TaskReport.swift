public import AgentJSON
public import AgentStore

/// A task as people and programs see it.
public struct TaskReport: Sendable {
  private let task: TaskRow

  /// The report of a task.
  public init(_ task: TaskRow) { self.task = task }

  /// All of it but the history: what was asked for, where it stands, what came of it.
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
    // The bot that has the task; before that, the one that the definition asks for.
    object["bot"] = task.bot.map(JSONValue.string) ?? object["bot"]
    put("parent", task.parent, into: &object, asText: true)
    put("batch", task.batch, into: &object, asText: true)
    put("schedule", task.schedule, into: &object, asText: true)
    object["progress"] = task.progress.flatMap { JSONValue(stored: $0) }
    object["result"] = result
    return object
  }

  /// What goes into a program and what comes out of it.
  private static let confidential = [
    "input", "run_command", "shell", "secrets", "metadata", "progress", "result",
  ]

  /// As events have it. Every module may subscribe to them, also one that may neither have such a
  /// task done nor see it: of a program or a task with secrets they have all but what goes in and
  /// comes out. Members of more than 64 KiB are left out and named in `omitted`.
  public var event: JSONObject {
    var object = json
    if isConfidential {
      for key in Self.confidential { object[key] = nil }
    }
    return object.fitForEvent()
  }

  /// As a caller may read it that may read only some attempts. Once the task has gone on after
  /// those, what goes in and comes out is somebody else's, and the result is the caller's own.
  func json(for attempts: ReadableAttempts) -> JSONObject {
    guard case .own(let rows) = attempts, let last = rows.first, !isEnd(of: last) else {
      return json
    }
    var object = json
    for key in Self.confidential { object[key] = nil }
    object["result"] = last.result.flatMap { JSONValue(stored: $0) }
    return object
  }

  /// Its changes by these attempts, and those before the first attempt.
  func history(for attempts: ReadableAttempts) -> [JSONValue] {
    history.filter { change in
      change["attempt"]?.int64.map { attempts.includes(attempt: $0) } ?? true
    }
  }

  /// Whether the task has ended with this attempt. One that is queued again has the same attempt
  /// until somebody gets it, and may have a new input; so has one that was cancelled then.
  private func isEnd(of assignment: AssignmentRow) -> Bool {
    task.attempt == assignment.attempt && [.succeeded, .failed, .dead].contains(task.state)
  }

  /// Whether it runs a program or is given secrets.
  package var isConfidential: Bool {
    TaskDraft.asksForPrograms(task.type, TaskDefinition(stored: task.definition))
  }

  /// `{output, status, error, execution_time, timestamp}`, or nil before the first attempt's end.
  public var result: JSONValue? {
    guard let bytes = task.result, case .object(var result)? = JSONValue(stored: bytes) else {
      return nil
    }
    // From the row: the state may have changed since the attempt stored its result.
    result["status"] = .string(task.state.rawValue)
    return .object(result)
  }

  /// Its changes, the oldest first: `{at, state, attempt, by, note}`.
  public var history: [JSONValue] { TaskHistory.values(of: task.history) }

  private func put(
    _ key: String, _ number: Int64?, into object: inout JSONObject, asText: Bool = false
  ) {
    guard let number else { return }
    object[key] = asText ? .string("\(number)") : JSONValue(number)
  }
}
