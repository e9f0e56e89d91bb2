internal import AgentAccess
internal import AgentHost
internal import AgentJSON
internal import AgentLogging
internal import AgentProcesses
internal import Hummingbird

/// Routes of the log: the latest records, and a stream of new ones as JSON lines.
struct LogRoutes {
  let host: HostApplication

  var routes: [APIRoute] {
    [
      APIRoute(
        .get, "logs", operation: "follow_log", summary: "Streams new log records as lines of JSON.",
        tag: .logs,
        for: .read,
        parameters: [
          .query(
            "process", .text, summary: "only records of this process; agent is the host itself")
        ],
        replies: [.text([.lines], "An empty line, then one record per line.")],
        options: [.streams, .named]
      ) { [host] call in try await Self.follow(call, host) }
    ]
  }

  private static func follow(_ call: APICall, _ host: HostApplication) async throws -> Response {
    let process = call.text("process")
    if let process, process != LogRecord.host { _ = try await host.processes.report(process) }
    let (records, source) = AsyncStream.makeStream(
      of: LogRecord.self, bufferingPolicy: .bufferingNewest(1000))
    let number = host.log.subscribe { record in
      if process == nil || record.source == process { source.yield(record) }
    }
    source.onTermination = { _ in host.log.unsubscribe(number) }
    // The first line tells the client that no record is missed from here on.
    return Response(
      streaming: records, to: call, as: MediaType.lines.rawValue, opening: "\n",
      text: { $0.json.text() + "\n" }, end: { source.finish() })
  }
}
