internal import AgentAccess
internal import AgentLogging
internal import AgentSettings
internal import AgentJSON
internal import AgentHost
internal import AgentSystem
internal import HTTPTypes
internal import Hummingbird

/// Writes a line for each request of the port to `.agent/logs/access.jsonl`. Query strings and
/// headers are left out, because both may hold secrets.
struct AccessLog: Sendable {
  let lines: BufferedLines

  init(_ host: HostApplication) {
    lines = BufferedLines(
      path: "\(host.folder.logs)/access.jsonl", rotation: host.logRotation
    ) { host.settings.redactor.redact($0) }
  }

  func write(_ context: RequestContext, _ response: Response) {
    var line = "{\"timestamp\":\"\(Timestamp.text(Timestamp.now()))\",\"request_id\":\""
    line += context.id  // Plain characters only.
    line += "\",\"method\":\"\(context.request.method.rawValue)\",\"path\":"
    line += JSONValue.string(context.request.uri.path).text()
    line += ",\"status\":\(response.status.code),\"us\":\(context.microseconds),\"address\":\""
    line += context.address
    line += "\",\"principal\":"
    line += JSONValue.string(context.principal?.label ?? "-").text()
    line += "}\n"
    lines.append(Array(line.utf8))
  }
}

extension RequestContext {
  /// The time since the request began.
  var microseconds: Int64 {
    let (seconds, attoseconds) = (ContinuousClock.now - began).components
    return seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
  }
}
