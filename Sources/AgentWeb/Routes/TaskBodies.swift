internal import AgentAccess
internal import AgentJSON
internal import AgentRuntime
internal import AgentStore
internal import AgentTasks

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
