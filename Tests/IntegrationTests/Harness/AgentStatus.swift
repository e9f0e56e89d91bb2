import AgentJSON

/// What `agent status --json` says.
struct AgentStatus: Sendable {
  let json: JSONValue

  var processes: [ProcessStatus] { (json["processes"]?.array ?? []).map(ProcessStatus.init(json:)) }

  subscript(_ name: String) -> ProcessStatus? { processes.first { $0.name == name } }
}

/// One process as `agent status --json` shows it.
struct ProcessStatus: Sendable {
  let json: JSONValue

  var name: String { json["name"]?.string ?? "" }
  var state: String { json["state"]?.string ?? "" }
  var pid: Int? { json["pid"]?.int }
  var restarts: Int { json["restarts"]?.int ?? 0 }
  var lastExit: String { json["last_exit"]?.string ?? "" }
  var reason: String { json["reason"]?.string ?? "" }
  var sandbox: String { json["sandbox"]?.string ?? "" }
}
