internal import AgentAccess
internal import AgentJSON
internal import AgentHost
internal import AgentStore
internal import AgentTasks

extension APICall {
  /// The principal's authority. The task engine decides by it.
  var authority: TaskAuthority { TaskAuthority(principal) }
}

extension TaskAuthority {
  /// Makes the authority of a principal. An administrator may run any program with any secret. A
  /// bot's own token never permits that.
  init(_ principal: Principal) {
    let label = principal.label
    self =
      switch principal.kind {
      case .bot: .bot(principal.name, as: label)
      case _ where principal.may(.administer): .unrestricted(as: label)
      case .person:
        .restricted(as: label, person: principal.name, operates: principal.may(.operate))
      case .program, .local: .restricted(as: label, operates: principal.may(.operate))
      }
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
