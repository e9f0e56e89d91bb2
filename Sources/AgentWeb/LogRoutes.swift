internal import AgentJSON
internal import AgentRuntime
internal import Hummingbird

/// The log: what was written last, and what is written from now on, as JSON lines.
struct LogRoutes {
  let host: AgentHost

  func add(to routes: RouterGroup<BasicRequestContext>) {
    let host = host
    routes.get("logs") { request, _ in
      let process = request.query("process")
      if let process, process != LogRecord.host { _ = try await host.process(process) }
      let (records, source) = AsyncStream.makeStream(
        of: LogRecord.self, bufferingPolicy: .bufferingNewest(1000))
      let number = host.log.follow { record in
        if process == nil || record.source == process { source.yield(record) }
      }
      source.onTermination = { _ in host.log.unfollow(number) }
      // The first line tells the client that from here on nothing is missed.
      return Response(
        streaming: records, to: request, as: "application/x-ndjson", opening: "\n",
        text: { $0.json.text() + "\n" }, end: { source.finish() })
    }
  }
}
