internal import AgentAccess
internal import AgentJSON
internal import AgentRuntime
internal import AgentStore
internal import AgentTasks

/// What requests about tasks say, as the engine takes it. The gate has checked the shapes.
extension TaskDraft {
  /// The type whose tasks say themselves which program it is.
  static let command = "command"

  init(_ body: JSONValue) {
    let command = body["run_command"]?.string
    self.init(
      name: body["name"]?.string ?? "",
      type: body["type"]?.string ?? (command == nil ? "" : Self.command))
    definition = TaskDefinition(json: body.object ?? JSONObject())
    definition.createdBy = nil
    priority = body["priority"].flatMap(Self.priority) ?? priority
    due = body["due_date"]?.int.map(Int64.init)
    runAt = body["run_at"]?.int.map(Int64.init)
    waits = runAt == nil && body["status"]?.string != "queued"
    parent = body["parent"]?.string.flatMap { Int64($0) }
    switch body["unique"] {
    case .string?: unique = .whileOpen
    case .number(let period)?: unique = .within(milliseconds: Int64(period.int ?? 1))
    case .object(let object)?: unique = object["key"]?.string.map { .key($0) }
    default: break
    }
  }

  static func priority(_ value: JSONValue) -> Int64? {
    value.int.map(Int64.init) ?? value.string.flatMap { TaskPriority.number(named: $0) }
  }
}

extension APICall {
  /// Who may have any program run, with any secret, may do what the host may: that is for those who
  /// administer it. What the settings have as a type is for everybody who may create tasks.
  func check(_ draft: TaskDraft) throws {
    let definition = draft.definition
    guard
      definition.runCommand != nil || definition.usesShell || !definition.secrets.isEmpty
    else { return try check(draft.type) }
    try check(TaskDraft.command)
  }

  /// The same of a task's input.
  func check(_ type: String) throws {
    guard type == TaskDraft.command, !principal.may(.administer) else { return }
    throw APIProblem.forbidden(principal, needs: .administer)
  }
}

extension TaskEdit {
  init(_ body: JSONValue) {
    self.init()
    name = body["name"]?.string
    description = body["description"]?.string
    priority = body["priority"].flatMap(TaskDraft.priority)
    due = body["due_date"]?.int.map(Int64.init)
    tags = body["tags"]?.array?.compactMap(\.string)
  }

  /// Whether anything but the status is to be changed.
  var changesSomething: Bool {
    name != nil || description != nil || priority != nil || due != nil || tags != nil
  }
}

extension TaskBatch {
  var json: JSONValue {
    var object: JSONObject = [
      "id": .string("\(id)"), "name": .string(name), "created": JSONValue(created),
      "total": JSONValue(total), "pending": JSONValue(pending),
      "unsuccessful": JSONValue(unsuccessful),
    ]
    object["finished"] = finished.map { JSONValue($0) }
    return .object(object)
  }
}

extension TaskLogLine {
  var json: JSONValue {
    [
      "number": JSONValue(number), "timestamp": JSONValue(timestamp),
      "attempt": JSONValue(attempt), "stream": .string(stream), "text": .string(text),
    ]
  }
}

extension TaskArtefact {
  var json: JSONValue {
    [
      "name": .string(name), "media_type": .string(mediaType), "size": JSONValue(size),
      "timestamp": JSONValue(timestamp),
    ]
  }
}
